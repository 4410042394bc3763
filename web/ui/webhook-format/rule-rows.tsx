// The rules that read a webhook's response, in their order: conditions, outcome, and what is taken from the response.
import { ActionIcon, Button, Fieldset, Group, Menu, Select, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, Cross2Icon } from '@radix-ui/react-icons';
import { type ReactNode, useState } from 'react';

import type { WebhookResponse } from '../../../src/scopes/webhook-trial.schema.ts';
import {
  type Capture,
  CAPTURE_WORDS,
  captureSource,
  type CaptureSource,
  emptyRule,
  type FaultOf,
  NO_CAPTURE,
  newConditions,
  type Rule,
  type Source,
  statusesOf,
  TEST_WORDS,
  type TestName,
  testsOf,
  type When,
  withOutcome,
  withTest,
} from './format-form.ts';
import { LastOfRule } from './latest-responses.tsx';

const OUTCOMES: ReadonlyArray<{ readonly value: Rule['outcome']; readonly label: string }> = [
  { value: 'accepted', label: 'Accepted' },
  { value: 'duplicate', label: 'Duplicate' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'retry', label: 'Try again' },
];

const SOURCES: Readonly<Record<Source, string>> = { header: 'Header', json: 'JSON', text: 'Text of the body' };

let lastId = 0;
function newId(): number {
  lastId += 1;
  return lastId;
}

export function RuleRows({
  rules,
  onChange,
  faultOf,
  isReadOnly,
  responses,
}: {
  readonly rules: readonly Rule[];
  readonly onChange: (rules: Rule[]) => void;
  readonly faultOf: FaultOf;
  readonly isReadOnly: boolean;
  readonly responses: readonly WebhookResponse[];
}): ReactNode {
  // Rules have no name of their own, and moving one must not move the focus to another.
  const [ids, setIds] = useState<readonly number[]>(() => rules.map(newId));
  const change = (next: ReadonlyArray<readonly [id: number, rule: Rule]>): void => {
    setIds(next.map(([id]) => id));
    onChange(next.map(([, rule]) => rule));
  };
  const pairs = rules.map((rule, index) => [ids[index] ?? index, rule] as const);
  const move = (from: number, to: number): void => {
    const next = [...pairs];
    next.splice(to, 0, ...next.splice(from, 1));
    change(next);
  };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        The first rule that matches decides. Without a match, 4xx and 5xx are read as in the standard format, and
        another status is tried again as soon as there is a rule for accepted leads.
      </Text>
      {pairs.map(([id, rule], index) => (
        <Fieldset key={id} legend={`Rule ${index + 1}`}>
          <Stack gap="sm">
            <RuleFields
              rule={rule}
              path={`response.rules[${index}]`}
              faultOf={faultOf}
              isReadOnly={isReadOnly}
              onChange={(next) => change(pairs.map((pair) => (pair[0] === id ? ([id, next] as const) : pair)))}
            />
            <LastOfRule responses={responses} rule={index} />
            {!isReadOnly && (
              <Group gap="xs">
                <ActionIcon
                  variant="default"
                  aria-label={`Move rule ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUpIcon aria-hidden="true" />
                </ActionIcon>
                <ActionIcon
                  variant="default"
                  aria-label={`Move rule ${index + 1} down`}
                  disabled={index === pairs.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDownIcon aria-hidden="true" />
                </ActionIcon>
                <Button
                  variant="default"
                  size="compact-sm"
                  aria-label={`Remove rule ${index + 1}`}
                  onClick={() => change(pairs.filter((pair) => pair[0] !== id))}
                >
                  Remove
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      ))}
      {!isReadOnly && (
        <Group>
          <Button variant="default" size="xs" onClick={() => change([...pairs, [newId(), emptyRule]])}>
            Add rule
          </Button>
        </Group>
      )}
    </Stack>
  );
}

type RuleProps = {
  readonly rule: Rule;
  readonly path: string;
  readonly faultOf: FaultOf;
  readonly isReadOnly: boolean;
  readonly onChange: (rule: Rule) => void;
};

function RuleFields({ rule, path, faultOf, isReadOnly, onChange }: RuleProps): ReactNode {
  const { when } = rule;
  const setWhen = (part: Partial<When>): void => onChange({ ...rule, when: { ...when, ...part } });
  const used = (Object.keys(newConditions) as Source[]).filter((source) => when[source] !== null);
  const free = (Object.keys(newConditions) as Source[]).filter((source) => when[source] === null);
  const captures = rule.outcome === 'accepted' ? (['reference', 'price'] as const) : (['reason'] as const);
  return (
    <>
      <Group gap="xs" align="flex-start">
        <TagsInput
          label="Status"
          description="Such as 200 or 2xx; none for any."
          value={when.status.map(String)}
          onChange={(words) => setWhen({ status: statusesOf(words) })}
          error={faultOf(`${path}.when.status`) ?? null}
          readOnly={isReadOnly}
          acceptValueOnBlur
          splitChars={[',', ' ']}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          flex="2 1 200px"
        />
        <Select
          label="Outcome"
          data={[...OUTCOMES]}
          value={rule.outcome}
          allowDeselect={false}
          readOnly={isReadOnly}
          onChange={(outcome) => {
            if (outcome !== null) onChange(withOutcome(rule, outcome));
          }}
          flex="1 1 140px"
        />
      </Group>
      {used.map((source) => (
        <ConditionRow
          key={source}
          source={source}
          when={when}
          error={faultOf(`${path}.when.${source}`)}
          isReadOnly={isReadOnly}
          onChange={setWhen}
        />
      ))}
      {!isReadOnly && free.length > 0 && (
        <Group>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="subtle" size="compact-sm">
                Add condition
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {free.map((source) => (
                <Menu.Item key={source} onClick={() => setWhen({ [source]: newConditions[source] })}>
                  {SOURCES[source]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      {captures.map((name) => (
        <CaptureRow
          key={name}
          label={CAPTURES[name]}
          capture={rule[name]}
          error={faultOf(`${path}.${name}`)}
          isReadOnly={isReadOnly}
          onChange={(capture) => onChange({ ...rule, [name]: capture })}
        />
      ))}
    </>
  );
}

const CAPTURES = { reason: 'Reason', reference: 'Reference of the partner', price: 'Price' } as const;

function ConditionRow({
  source,
  when,
  error,
  isReadOnly,
  onChange,
}: {
  readonly source: Source;
  readonly when: When;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (part: Partial<When>) => void;
}): ReactNode {
  const condition = when[source];
  if (condition === null) return null;
  const [test = 'equals', ...more] = testsOf(condition);
  const tests: readonly TestName[] =
    source === 'json' ? ['equals', 'contains', 'pattern', 'exists', 'missing'] : ['equals', 'contains', 'pattern'];
  const value = (condition as Readonly<Record<string, unknown>>)[test];
  const named = 'name' in condition ? 'name' : 'path' in condition ? 'path' : null;
  const set = (part: object): void => onChange({ [source]: { ...condition, ...part } });
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={`Condition: ${SOURCES[source]}`}>
      {named === null ? (
        <Text size="sm" pb={8}>
          {SOURCES[source]}
        </Text>
      ) : (
        <TextInput
          label={named === 'name' ? 'Header' : 'JSON path'}
          value={String((condition as Readonly<Record<string, unknown>>)[named])}
          onChange={({ currentTarget }) => set({ [named]: currentTarget.value })}
          {...(named === 'path' ? { placeholder: 'errors[0].code' } : {})}
          readOnly={isReadOnly}
          autoComplete="off"
          spellCheck={false}
          error={error !== undefined}
          flex="1 1 140px"
        />
      )}
      <Select
        label="Test"
        data={tests.map((name) => ({ value: name, label: TEST_WORDS[name] }))}
        value={test}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => {
          if (next !== null) onChange({ [source]: withTest(condition, test, next) });
        }}
        flex="1 1 130px"
      />
      {typeof value !== 'boolean' && (
        <TextInput
          label="Value"
          value={typeof value === 'string' || typeof value === 'number' ? String(value) : ''}
          onChange={({ currentTarget }) => set({ [test]: currentTarget.value })}
          readOnly={isReadOnly}
          autoComplete="off"
          spellCheck={false}
          error={error !== undefined}
          flex="1 1 140px"
        />
      )}
      {!isReadOnly && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          onClick={() => onChange({ [source]: null })}
          aria-label={`Remove condition: ${SOURCES[source]}`}
        >
          <Cross2Icon aria-hidden="true" />
        </ActionIcon>
      )}
      {more.length > 0 && (
        <Text size="sm" c="dimmed" w="100%">
          Also:{' '}
          {more
            .map((name) => `${TEST_WORDS[name]} ${String((condition as Readonly<Record<string, unknown>>)[name])}`)
            .join(', ')}
        </Text>
      )}
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" w="100%">
          {error}
        </Text>
      )}
    </Group>
  );
}

function CaptureRow({
  label,
  capture,
  error,
  isReadOnly,
  onChange,
}: {
  readonly label: string;
  readonly capture: Capture | null;
  readonly error: string | undefined;
  readonly isReadOnly: boolean;
  readonly onChange: (capture: Capture | null) => void;
}): ReactNode {
  const source = capture === null ? '' : captureSource(capture);
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={label}>
      <Select
        label={label}
        data={[
          { value: '', label: 'not taken' },
          ...(Object.keys(CAPTURE_WORDS) as CaptureSource[]).map((name) => ({
            value: name,
            label: CAPTURE_WORDS[name],
          })),
        ]}
        value={source}
        allowDeselect={false}
        readOnly={isReadOnly}
        onChange={(next) => {
          const before = capture === null || source === '' ? '' : (capture[source] ?? '');
          onChange(next === '' || next === null ? null : { ...NO_CAPTURE, [next]: before });
        }}
        flex="1 1 160px"
      />
      {capture !== null && source !== '' && (
        <TextInput
          label={CAPTURE_WORDS[source]}
          aria-label={`${label}: ${CAPTURE_WORDS[source]}`}
          value={capture[source] ?? ''}
          onChange={({ currentTarget }) => onChange({ ...NO_CAPTURE, [source]: currentTarget.value })}
          readOnly={isReadOnly}
          autoComplete="off"
          spellCheck={false}
          error={error ?? null}
          flex="2 1 180px"
        />
      )}
    </Group>
  );
}
