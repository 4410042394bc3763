// Every answer that a supplier's program can get: when it comes, what to do, and what it looks like.
import { Accordion, Badge, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import type { ResponseGuide } from '../../../../src/portal/supplier/specification.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/facts.tsx';
import styles from './specification.module.css';

export function Answers({ answers }: { readonly answers: readonly ResponseGuide[] }): ReactNode {
  return (
    <Section title="Every answer">
      <Text size="sm">
        Decide by the status, and by <Code>code</Code> where there is one: it never changes its meaning.{' '}
        <Code>processingTime</Code> is in milliseconds.
      </Text>
      <Accordion multiple variant="separated" order={3} className={styles['onScreen'] ?? ''}>
        {answers.map((answer) => (
          <Accordion.Item key={nameOf(answer)} value={nameOf(answer).replaceAll(' ', '-')}>
            <Accordion.Control>
              <Group gap="xs">
                <Badge variant="outline" color="gray" c="inherit">
                  {answer.status}
                </Badge>
                <Text component="span" size="sm" fw={600}>
                  {answer.code ?? nameOf(answer)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <One answer={answer} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
      <div className={styles['onPaper']}>
        {answers.map((answer) => (
          <div key={nameOf(answer)}>
            <Title order={3}>
              {answer.status} {nameOf(answer)}
            </Title>
            <One answer={answer} />
          </div>
        ))}
      </div>
      <Text size="sm" c="dimmed">
        Anywhere there may also be 400 <Code>bad_request</Code>, 408 <Code>request_timeout</Code> and 431{' '}
        <Code>headers_too_large</Code>, which say that the request was not well-formed HTTP.
      </Text>
    </Section>
  );
}

function One({ answer }: { readonly answer: ResponseGuide }): ReactNode {
  const { when, whatToDo, repeat, headers, body } = answer;
  return (
    <Stack gap="xs">
      <Text size="sm">{when}</Text>
      <Text size="sm">
        <strong>What to do:</strong> {whatToDo}
      </Text>
      <Text size="sm">
        <strong>Send the same again:</strong> {repeat}
      </Text>
      {headers.map(({ name, value }) => (
        <Text size="sm" key={name}>
          <strong>Header:</strong> <Code>{`${name}: ${value}`}</Code>
        </Text>
      ))}
      <CodeBlock text={body} label={`the body of ${nameOf(answer)}`} />
    </Stack>
  );
}

/** The two 202 differ by what they say about an earlier one. */
function nameOf({ status, code, headers }: ResponseGuide): string {
  if (code !== null) return code;
  if (status === 422) return 'refused';
  return headers.length > 0 ? 'accepted before' : 'accepted';
}
