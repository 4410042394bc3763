// The result of a test delivery: verdict, advice, response, and the exact request.
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
          Request that would be sent
        </Text>
        <RequestText request={response.request} />
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
          ['Sent to', response.request.url],
          ['Response code', response.responseCode],
          ['Response time', formatSpan(response.latencyMs)],
          ['Attempt id', response.attemptId],
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
      <Text size="sm" fw={600}>
        Request as sent
      </Text>
      <RequestText request={response.request} />
    </Stack>
  );
}

/** The request with an indented body, which is unreadable in one line. */
function RequestText({ request: { method, url, headers, body } }: { readonly request: TestRequest }): ReactNode {
  const lines = headers.map(({ name, value }) => `${name}: ${value ?? '(set when sent)'}`);
  const text = [`${method} ${url ?? '(no URL saved)'}`, ...lines, '', pretty(body)].join('\n');
  return (
    <>
      <CodeBlock text={text} label="the request" />
      <Text size="xs" c="dimmed">
        The body is sent as one line, and that line is signed. Line breaks are for display only.
      </Text>
    </>
  );
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function wordsFor({ delivered, responseCode: code, error }: Sent): string {
  if (delivered) return 'This response would confirm a lead.';
  if (code === null) {
    return `${error ?? 'No response.'} Check the URL, and that the server is running and reachable from the internet over HTTPS with a valid certificate.`;
  }
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
