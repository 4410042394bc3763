// The difference that a configuration change makes, entry by entry and field by field.
import { Box, List, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import { useConsoleSession } from '../session.ts';
import type { Change, FieldChanges } from '../../../src/console/changes.schema.ts';
import { fieldWords, thingWords, readableChanges, valueWords } from '../configuration/field-words.ts';

const ACTIONS = { create: 'is new', update: 'is changed', close: 'is closed' } as const;

// A file may change thousands of entries, which would be slow to render.
const SHOWN = 200;

export function Difference({ changes }: { readonly changes: readonly Change[] }): ReactNode {
  const shown = changes.slice(0, SHOWN);
  return (
    <Stack gap="md">
      {shown.map(({ kind, key, action, fields }) => (
        <Box key={`${kind} ${key}`}>
          <Title order={3} fz="md">
            {thingWords(kind, key)} {ACTIONS[action]}
          </Title>
          <FieldList fields={fields} isNew={action === 'create'} />
        </Box>
      ))}
      {changes.length > shown.length && <Text c="dimmed">… and {changes.length - shown.length} more changes.</Text>}
    </Stack>
  );
}

/** Templates and rules have several lines. */
const LINES = { whiteSpace: 'pre-wrap' } as const;

/** `Price: $45.00 → $50.00` */
export function FieldList({ fields, isNew }: { readonly fields: FieldChanges; readonly isNew: boolean }): ReactNode {
  const { currency } = useConsoleSession();
  const saved = readableChanges(fields);
  if (saved.length === 0) return <Text size="sm">All fields have their default values.</Text>;
  return (
    <List size="sm" spacing={4} mt={4} style={{ overflowWrap: 'anywhere' }}>
      {saved.map(({ path, from, to }) => (
        <List.Item key={path}>
          <Text component="span" fw={600} inherit>
            {fieldWords(path)}:
          </Text>{' '}
          {!isNew && (
            <>
              <VisuallyHidden>from</VisuallyHidden> <s style={LINES}>{valueWords(path, from, currency)}</s>{' '}
              <span aria-hidden="true">→</span>
              <VisuallyHidden>to</VisuallyHidden>{' '}
            </>
          )}
          <Text component="span" fw={500} inherit style={LINES}>
            {valueWords(path, to, currency)}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
