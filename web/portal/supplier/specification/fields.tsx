// The fields of a lead in the posting specification: the supplier's names, format and length of each.
import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { SpecifiedField, Specification } from '../../../../src/portal/supplier/specification.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { CodeBlock } from '../../../ui/copy.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatNumber } from '../../../ui/formats.ts';

export function Fields({ specification }: { readonly specification: Specification }): ReactNode {
  const { fields, needed, isMapped } = specification;
  const constants = fields.filter(({ constant }) => constant !== null);
  return (
    <Section id="fields" title="Fields">
      <Text size="sm">
        Every lead needs these fields. All others are optional; null and blank text count as missing.
      </Text>
      <List size="sm">
        {needed.map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
      {isMapped && (
        <Text size="sm">
          Send your own names; they are mapped to the fields beside them. A dot in a name addresses a nested object,{' '}
          <Code>a.0</Code> the first item of a list. Of several names the first with a value counts.
        </Text>
      )}
      <FieldTable caption="Fields of a lead" fields={fields} isMapped={isMapped} />
      {constants.length > 0 && (
        <>
          <Text size="sm">These fields have fixed values, regardless of what you send:</Text>
          <List size="sm">
            {constants.map(({ field, constant }) => (
              <List.Item key={field}>
                <Code>{field}</Code> is <Code>{constant}</Code>
              </List.Item>
            ))}
          </List>
        </>
      )}
      <Text size="sm" c="dimmed">
        Errors are reported as <Code>FIELD invalid</Code> or <Code>FIELD too long</Code>, all at once. Other members are
        stored with the lead and not used.
      </Text>
    </Section>
  );
}

function FieldTable({
  caption,
  fields,
  isMapped,
}: {
  readonly caption: string;
  readonly fields: readonly SpecifiedField[];
  readonly isMapped: boolean;
}): ReactNode {
  return (
    <DataTable
      caption={caption}
      columns={isMapped ? [NAMES, FIELD, ...COLUMNS] : [FIELD, ...COLUMNS]}
      rows={fields.filter(({ names }) => names.length > 0)}
      rowKey={({ field }) => field}
      empty={null}
    />
  );
}

/** The fields of each vertical that the supplier may post into. */
export function Verticals({
  specification: { verticals, isMapped },
}: {
  readonly specification: Specification;
}): ReactNode {
  return verticals.map(({ key, name, isDefault, fields, example }) => (
    <Section key={key} title={`Leads of the vertical ${name}`}>
      <Text size="sm">
        {isDefault ? (
          <>
            Your leads are of this vertical (<Code>{key}</Code>) unless they name another one in <Code>vertical</Code>.
          </>
        ) : (
          <>
            A lead of this vertical names it: <Code>vertical</Code> is <Code>{key}</Code>.
          </>
        )}
      </Text>
      {fields.length > 0 && (
        <FieldTable caption={`Fields of a lead of the vertical ${name}`} fields={fields} isMapped={isMapped} />
      )}
      {!isDefault && example !== null && <CodeBlock text={example.body} label={`an example of the vertical ${name}`} />}
    </Section>
  ));
}

const NAMES: Column<SpecifiedField> = {
  key: 'names',
  title: 'You send',
  cell: ({ names }) => (
    <Stack gap={2}>
      {names.map(({ name }) => (
        <Code key={name} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Code>
      ))}
    </Stack>
  ),
};

const FIELD: Column<SpecifiedField> = {
  key: 'field',
  title: 'Field',
  cell: ({ field }) => <Code style={{ whiteSpace: 'nowrap' }}>{field}</Code>,
};

const COLUMNS: readonly Column<SpecifiedField>[] = [
  {
    key: 'type',
    title: 'Type',
    cell: ({ type, lengthMax }) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        {type}
        {lengthMax !== null && `, ${formatNumber(lengthMax)}`}
      </span>
    ),
  },
  { key: 'how', title: 'Description and format', cell: (field) => <How field={field} /> },
  {
    key: 'sample',
    title: 'Example',
    cell: ({ sample }) =>
      sample === null ? (
        <Text size="sm" miw={160}>
          No value passes the checks with this mapping. Contact the operator.
        </Text>
      ) : (
        <Code style={{ overflowWrap: 'anywhere' }}>{sample}</Code>
      ),
  },
];

function How({ field: { meaning, format, names } }: { readonly field: SpecifiedField }): ReactNode {
  const treatments = names.flatMap(({ treatment }) => treatment ?? []);
  return (
    <Text size="sm" miw={240} maw={520}>
      {[
        meaning,
        ...treatments,
        ...(format === null ? [] : [treatments.length === 0 ? format : `Or in the standard format: ${format}`]),
      ].join(' ')}
    </Text>
  );
}
