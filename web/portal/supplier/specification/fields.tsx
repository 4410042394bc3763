// The fields of a lead under the names that this supplier sends, with how each is written and how long it may be.
import { Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { SpecifiedField, Specification } from '../../../../src/portal/supplier/specification.schema.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Section } from '../../../ui/facts.tsx';
import { formatNumber } from '../../../ui/formats.ts';

export function Fields({ specification }: { readonly specification: Specification }): ReactNode {
  const { fields, needed, isMapped } = specification;
  const constants = fields.filter(({ constant }) => constant !== null);
  return (
    <Section title="The fields">
      <Text size="sm">
        Every lead needs these; everything else may be left out, and null or blank text is the same.
      </Text>
      <List size="sm">
        {needed.map((words) => (
          <List.Item key={words}>{words}</List.Item>
        ))}
      </List>
      {isMapped && (
        <Text size="sm">
          Send your own names: they are read as the fields beside them. A full stop in a name leads into a nested
          object, <Code>a.0</Code> is the first item of a list. Of several names the first that holds something counts.
        </Text>
      )}
      <DataTable
        caption="Fields of a lead"
        columns={isMapped ? [NAMES, FIELD, ...COLUMNS] : [FIELD, ...COLUMNS]}
        rows={fields.filter(({ names }) => names.length > 0)}
        rowKey={({ field }) => field}
        empty={null}
      />
      {constants.length > 0 && (
        <>
          <Text size="sm">These are set for you, whatever you send:</Text>
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
        What is wrong with a field is told as <Code>FIELD invalid</Code> or <Code>FIELD too long</Code>, all faults at
        once. Further members are kept with the lead and mean nothing to us.
      </Text>
    </Section>
  );
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
  { key: 'how', title: 'What it is and how it is written', cell: (field) => <How field={field} /> },
  {
    key: 'sample',
    title: 'Example',
    cell: ({ sample }) =>
      sample === null ? (
        <Text size="sm" miw={160}>
          No value passes the checks this way: ask the operator.
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
        ...(format === null ? [] : [treatments.length === 0 ? format : `Or as the field itself: ${format}`]),
      ].join(' ')}
    </Text>
  );
}
