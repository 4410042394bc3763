// The result of a test delivery: verdict, advice, response, and the exact request.
import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { TestDelivery, TestRequest } from '../../../../src/portal/buyer/test-delivery.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { type Fact, Facts } from '../../../ui/facts.tsx';
import { formatSpan } from '../../../ui/formats.ts';
import { Notice } from '../notice.tsx';

type Sent = Extract<TestDelivery, { target: 'webhook' }>;

export function TestResult({ response }: { readonly response: TestDelivery }): ReactNode {
  if (response.target === 'preview') {
    return (
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          Request that would be sent
        </Text>
        {response.request === null ? (
          <Text size="sm">No request can be made: {response.error ?? ''}</Text>
        ) : (
          <RequestText request={response.request} />
        )}
      </Stack>
    );
  }
  return (
    <Stack gap="sm">
      <Notice
        tone={response.delivered ? 'good' : 'bad'}
        title={response.delivered ? 'Your endpoint accepted the test' : 'Your endpoint did not accept the test'}
      >
        <Text size="sm">{wordsFor(response)}</Text>
      </Notice>
      <Facts
        columns={4}
        facts={[
          ['Sent to', response.request?.url ?? null],
          ['Response code', response.responseCode],
          ['Response time', formatSpan(response.latencyMs)],
          ['Attempt id', response.attemptId],
          ...(response.request?.isSigned === false ? [ruleFact(response)] : []),
        ]}
      />
      <Text size="sm" fw={600}>
        Response
      </Text>
      {response.responseSnippet === null || response.responseSnippet === '' ? (
        <Text size="sm">{response.responseCode === null ? 'No response.' : 'Empty body.'}</Text>
      ) : (
        <CodeBlock text={response.responseSnippet} label="the response" />
      )}
      {response.request !== null && (
        <>
          <Text size="sm" fw={600}>
            Request as sent
          </Text>
          <RequestText request={response.request} />
        </>
      )}
    </Stack>
  );
}

function ruleFact({ rule }: Sent): Fact {
  return ['Rule', rule === null ? 'none matched' : `rule ${rule + 1}`];
}

/** The request with an indented body, which is unreadable in one line; in the partner's own format as it is. */
function RequestText({
  request: { method, url, headers, body, isSigned },
}: {
  readonly request: TestRequest;
}): ReactNode {
  const lines = headers.map(({ name, value }) => `${name}: ${value ?? '(set when sent)'}`);
  const text = [`${method} ${url ?? '(no URL saved)'}`, ...lines, '', isSigned ? pretty(body ?? '') : (body ?? '')]
    .join('\n')
    .trimEnd();
  return (
    <>
      <CodeBlock text={text} label="the request" />
      <Text size="xs" c="dimmed">
        {isSigned
          ? 'The body is sent as one line, and that line is signed. Line breaks are for display only.'
          : 'In your own format, which is not signed. Secrets are shown as ••••.'}
      </Text>
    </>
  );
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function wordsFor({ delivered, responseCode: code, error, request }: Sent): string {
  if (delivered) return 'This response would confirm a lead.';
  if (code === null) {
    return `${error ?? 'No response.'} Check the URL, and that the server is running and reachable from the internet over HTTPS with a valid certificate.`;
  }
  // A rule of the partner's own format has decided, or none has.
  if (request?.isSigned === false && error !== null) return `It responded ${code}. ${error}`;
  return `It responded ${code}. ${adviceFor(code)}`;
}

function adviceFor(code: number): string {
  if (code >= 300 && code < 400) return 'Redirects are not followed: save the URL that it redirects to.';
  if (code === 401 || code === 403) {
    return 'The endpoint requires authentication. Messages have a signature instead of a password: allow them without one and verify the signature.';
  }
  if (code === 404) return 'Check the path of the URL.';
  if (code === 405) return 'The URL does not accept POST.';
  if (code === 410) return 'With a real lead this would disable the endpoint at once.';
  if (code === 408 || code === 409 || code === 425 || code === 429 || code >= 500) {
    return 'A real lead would be retried at growing intervals. Check the log of your server.';
  }
  return 'It rejects the message. For a real lead the third such response is final. Check the log of your server.';
}
