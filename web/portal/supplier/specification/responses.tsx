// The responses in the posting specification: when each is sent, what to do, and an example.
import { Accordion, Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ResponseGuide } from '../../../../src/portal/supplier/specification.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/facts.tsx';
import styles from './specification.module.css';

export function Responses({ responses }: { readonly responses: readonly ResponseGuide[] }): ReactNode {
  return (
    <Section id="responses" title="Responses">
      <Text size="sm">
        Check the status, and <Code>code</Code> if there is one: codes never change their meaning.{' '}
        <Code>processingTime</Code> is in milliseconds.
      </Text>
      <Accordion multiple variant="separated" order={3} className={styles['onScreen'] ?? ''}>
        {responses.map((response) => (
          <Accordion.Item key={nameOf(response)} value={nameOf(response).replaceAll(' ', '-')}>
            <Accordion.Control>
              <Group gap="xs">
                <Badge variant="outline" color="gray" c="inherit">
                  {response.status}
                </Badge>
                <Text component="span" size="sm" fw={600}>
                  {response.code ?? nameOf(response)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <One response={response} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <div className={styles['onPaper']}>
        {responses.map((response) => (
          <div key={nameOf(response)}>
            <Title order={3}>
              {response.status} {nameOf(response)}
            </Title>
            <One response={response} />
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed">
        Every endpoint may also respond 400 <Code>bad_request</Code>, 408 <Code>request_timeout</Code> and 431{' '}
        <Code>headers_too_large</Code> if the request is not well-formed HTTP.
      </Text>
    </Section>
  );
}

function One({ response }: { readonly response: ResponseGuide }): ReactNode {
  const { when, whatToDo, repeat, headers, body } = response;
  return (
    <Stack gap="xs">
      <Text size="sm">{when}</Text>
      <Text size="sm">
        <strong>What to do:</strong> {whatToDo}
      </Text>
      <Text size="sm">
        <strong>Retry:</strong> {repeat}
      </Text>
      {headers.map(({ name, value }) => (
        <Text size="sm" key={name}>
          <strong>Header:</strong> <Code>{`${name}: ${value}`}</Code>
        </Text>
      ))}
      <CodeBlock text={body} label={`the body of ${nameOf(response)}`} />
    </Stack>
  );
}

/** The two 202 responses differ by their headers. */
function nameOf({ status, code, headers }: ResponseGuide): string {
  if (code !== null) return code;
  if (status === 422) return 'refused';
  return headers.length > 0 ? 'accepted before' : 'accepted';
}
