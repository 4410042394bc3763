// What came of a test delivery: the verdict in words with what to do, the answer, and the request to the letter.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { TestDelivery, TestRequest } from '../../../../src/portal/buyer/test-delivery.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { formatSpan } from '../../../ui/formats.ts';
import { Notice } from '../notice.tsx';

type Sent = Extract<TestDelivery, { target: 'webhook' }>;

export function TestResult({ response }: { readonly response: TestDelivery }): ReactNode {
  if (response.target === 'preview') {
    return (
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          This would be sent
        </Text>
        <RequestText request={response.request} />
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Notice
        tone={response.delivered ? 'good' : 'bad'}
        title={response.delivered ? 'Your endpoint took the test' : 'Your endpoint did not take the test'}
      >
        <Text size="sm">{wordsFor(response)}</Text>
      </Notice>
      <Facts
        columns={4}
        facts={[
          ['Sent to', response.request.url],
          ['Response code', response.responseCode],
          ['Time until the answer', formatSpan(response.latencyMs)],
          ['Id of the attempt', response.attemptId],
        ]}
      />
      <Text size="sm" fw={600}>
        The answer
      </Text>
      {response.responseSnippet === null || response.responseSnippet === '' ? (
        <Text size="sm">{response.responseCode === null ? 'There was none.' : 'It had no text.'}</Text>
      ) : (
        <CodeBlock text={response.responseSnippet} label="the answer" />
      )}
      <Text size="sm" fw={600}>
        The request as it was sent
      </Text>
      <RequestText request={response.request} />
    </Stack>
  );
}

/** The body with line breaks, since nobody can read it otherwise. */
function RequestText({ request: { method, url, headers, body } }: { readonly request: TestRequest }): ReactNode {
  const lines = headers.map(({ name, value }) => `${name}: ${value ?? '(made when it is sent)'}`);
  const text = [`${method} ${url ?? '(no address is saved)'}`, ...lines, '', pretty(body)].join('\n');
  return (
    <>
      <CodeBlock text={text} label="the request" />
      <Text size="xs" c="dimmed">
        The body travels in one line, and the signature is over that line. It is shown here with line breaks.
      </Text>
    </>
  );
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function wordsFor({ delivered, responseCode: code, error }: Sent): string {
  if (delivered) return 'A lead would be confirmed by this answer.';
  if (code === null) {
    return `${error ?? 'No answer came.'} Check that the address is right, that the server runs, and that it can be reached from the internet over HTTPS with a valid certificate.`;
  }
  return `It answered ${code}. ${adviceFor(code)}`;
}

function adviceFor(code: number): string {
  if (code >= 300 && code < 400)
    return 'That leads elsewhere, and redirects are not followed: save the address that it leads to.';
  if (code === 401 || code === 403) {
    return 'It wants to know who is asking. Messages carry a signature and no password: let them in and check the signature.';
  }
  if (code === 404) return 'There is nothing at this address: check its path.';
  if (code === 405) return 'It does not take POST at this address.';
  if (code === 410) return 'With a real lead that would take the endpoint out of use at once.';
  if (code === 408 || code === 409 || code === 425 || code === 429 || code >= 500) {
    return 'With a real lead it would be tried again at growing intervals. Look into the log of your server.';
  }
  return 'It refuses the message as it is. With a real lead that is final at the third attempt. Look into the log of your server.';
}
