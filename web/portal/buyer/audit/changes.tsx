// The fields that an audit event changed, with their old and new values.
import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import type { AuditEvent } from '../../../../sdk/typescript/client.ts';

type Changed = AuditEvent['changes'];

// More fields would push the next events off the screen.
const SHOWN_AT_ONCE = 4;

export function Changes({ changes }: { readonly changes: Changed }): ReactNode {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  if (fields.length <= SHOWN_AT_ONCE) return <Fields fields={fields} />;
  return (
    <details>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {fields.length} fields
      </Text>
      <Fields fields={fields} />
    </details>
  );
}

function Fields({
  fields,
}: {
  readonly fields: ReadonlyArray<readonly [name: string, change: Changed[string]]>;
}): ReactNode {
  return (
    <Box component="dl" m={0} miw={220} maw={480}>
      {fields.map(([field, { from, to }]) => (
        <Box key={field} mb={4}>
          <Text component="dt" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {field}
          </Text>
          <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {isMissing(from) ? textOf(to) : `from ${textOf(from)} to ${textOf(to)}`}
          </Text>
        </Box>
      ))}
    </Box>
  );
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}

function textOf(value: unknown): string {
  if (isMissing(value)) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : value.map(partOf).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return typeof value === 'string' ? value : JSON.stringify(value);
  return Object.entries(value as object)
    .map(([name, member]) => `${name}: ${partOf(member)}`)
    .join(', ');
}

/** In parentheses if it has members of its own. */
function partOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? `(${textOf(value)})` : textOf(value);
}
