// The fields that an event of an audit log changed, with their values before and after.
import { Box, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { fieldInWords, isInstant, valueInWords } from './change-words.ts';
import { Time } from './zone.tsx';

type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** More are collapsed: a new partner has about twenty. */
const SHOWN_AT_ONCE = 4;

export function ChangedFields({ changes }: { readonly changes: Changes }): ReactNode {
  const fields = Object.entries(changes);
  if (fields.length === 0) return <span aria-label="none">—</span>;
  const list = (
    <List size="sm" listStyleType="none">
      {fields.map(([name, { from, to }]) => (
        <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            {fieldInWords(name)}:
          </Text>{' '}
          {from !== null && from !== undefined && (
            <>
              <Value value={from} /> →{' '}
            </>
          )}
          <Value value={to} />
        </List.Item>
      ))}
    </List>
  );
  return (
    <Box miw={200} maw={480}>
      {fields.length <= SHOWN_AT_ONCE ? (
        list
      ) : (
        <details>
          <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
            {fields.length} fields
          </Text>
          {list}
        </details>
      )}
    </Box>
  );
}

function Value({ value }: { readonly value: unknown }): ReactNode {
  return isInstant(value) ? <Time at={value} kind="short" /> : valueInWords(value);
}
