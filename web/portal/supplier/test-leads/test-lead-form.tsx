// The form of a test lead: single fields, or the JSON body in the supplier's own shape.
import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';

import type { Specification } from '../../../../src/portal/supplier/specification.schema.ts';
import type { TestLead } from '../../../../src/portal/supplier/test-leads.schema.ts';
import { Section } from '../../../ui/facts.tsx';

/** The common fields of a lead; others can be entered as JSON. */
const FIELDS = [
  'external_id',
  'full_name',
  'email',
  'phone',
  'state',
  'debt_amount',
  'source',
  'consent_timestamp',
  'source_form_url',
  'lead_ip',
] as const;
type FieldName = (typeof FIELDS)[number];

const LABELS: Readonly<Record<FieldName, string>> = {
  external_id: 'Your id',
  full_name: 'Full name',
  email: 'Email',
  phone: 'Phone',
  state: 'State',
  debt_amount: 'Debt amount',
  source: 'Source',
  consent_timestamp: 'Consent time',
  source_form_url: 'Form URL',
  lead_ip: 'IP address of the lead',
};

export type TestLeadFormProps = {
  readonly specification: Specification;
  readonly body: string | null;
  readonly way: 'fields' | 'json';
  /** The errors of the last response. */
  readonly faults: readonly string[];
  readonly isBusy: boolean;
  readonly onWay: (way: 'fields' | 'json') => void;
  readonly onPost: (lead: TestLead['lead']) => void;
};

export function TestLeadForm(props: TestLeadFormProps): ReactNode {
  const { specification, body, way, onWay } = props;
  return (
    <Section
      title="Lead"
      actions={
        <SegmentedControl
          size="xs"
          value={way}
          onChange={(value) => onWay(value)}
          data={[
            { value: 'fields', label: 'Fields' },
            { value: 'json', label: specification.isMapped ? 'JSON in your shape' : 'JSON' },
          ]}
          aria-label="Form of the lead"
        />
      }
    >
      {way === 'fields' ? (
        <ByField {...props} />
      ) : (
        <AsJson {...props} initial={body ?? specification.example?.body ?? '{\n  \n}'} />
      )}
    </Section>
  );
}

function ByField({ specification, faults, isBusy, onPost }: TestLeadFormProps): ReactNode {
  const [values, setValues] = useState<Readonly<Record<FieldName, string>>>(() => examples(specification));
  const known = new Map(specification.fields.map((field) => [field.field, field]));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    onPost(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Uses the standard field names. Leave a field empty to omit it.
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {FIELDS.map((name) => (
            <TextInput
              key={name}
              label={LABELS[name]}
              description={constantNote(known.get(name)?.constant ?? null) ?? name}
              value={values[name]}
              error={faultWords(name, faults, known.get(name)?.format ?? null)}
              autoComplete="off"
              onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </SimpleGrid>
        <Post isBusy={isBusy} />
      </Stack>
    </form>
  );
}

function AsJson({
  specification,
  isBusy,
  onPost,
  initial,
}: TestLeadFormProps & { readonly initial: string }): ReactNode {
  const [text, setText] = useState(initial);
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const read = readObject(text);
    setFault(typeof read === 'string' ? read : null);
    if (typeof read !== 'string') onPost(read);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Body"
          description={
            specification.isMapped
              ? 'As your program sends it. Your field mapping is applied.'
              : 'As your program sends it.'
          }
          autosize
          minRows={8}
          maxRows={24}
          value={text}
          error={fault}
          spellCheck={false}
          styles={{ input: { fontFamily: 'ui-monospace, monospace', fontSize: 13 } }}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Post isBusy={isBusy} />
      </Stack>
    </form>
  );
}

function Post({ isBusy }: { readonly isBusy: boolean }): ReactNode {
  return (
    <Group>
      <Button type="submit" loading={isBusy}>
        Post test lead
      </Button>
    </Group>
  );
}

/** A new id each time, so that a changed lead does not conflict with the previous one. */
function examples({ fields }: Specification): Record<FieldName, string> {
  const known = new Map(fields.map(({ field, sample }) => [field, sample]));
  const written: Readonly<Record<FieldName, string>> = {
    external_id: `test-${Date.now().toString(36)}`,
    full_name: 'Jordan Rivera',
    email: 'jordan.rivera@example.com',
    phone: '+15555550123',
    state: 'CA',
    debt_amount: '24500',
    source: 'search-debt-west',
    consent_timestamp: `${new Date(Date.now() - 60_000).toISOString().slice(0, 19)}Z`,
    source_form_url: 'https://forms.example.com/debt?utm_source=search',
    lead_ip: '203.0.113.20',
  };
  // Fields with a fixed value from the mapping stay empty.
  return Object.fromEntries(
    FIELDS.map((name) => [name, fields.length > 0 && known.get(name) === null ? '' : written[name]]),
  ) as Record<FieldName, string>;
}

function constantNote(constant: string | null): string | null {
  return constant === null ? null : `Your mapping always sets ${constant}`;
}

/** The error of the field with its format. */
function faultWords(name: FieldName, faults: readonly string[], format: string | null): string | null {
  const own = faults.filter(
    (fault) =>
      fault === `${name} invalid` ||
      fault === `${name} too long` ||
      (fault === 'name required' && name === 'full_name') ||
      (fault === 'email or phone required' && (name === 'email' || name === 'phone')),
  );
  if (own.length === 0) return null;
  return [own.join('; '), ...(format === null ? [] : [format])].join('. ');
}

/** The object, or an error message if the text is not a JSON object. */
function readObject(text: string): TestLead['lead'] | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as TestLead['lead'])
      : 'Must be a JSON object: it starts with { and ends with }.';
  } catch (error) {
    return `Not valid JSON: ${error instanceof Error ? error.message : 'it cannot be parsed'}.`;
  }
}
