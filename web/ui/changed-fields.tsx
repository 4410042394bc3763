// The fields that an event of an audit log changed, with their values before and after.
import { Box, List, Text } from '@mantine/core';
import type { ReactNode } from 'react';

import { fieldInWords, isInstant, valueInWords } from './change-words.ts';
import { formatNumber } from './formats.ts';
import { Time } from './zone.tsx';

type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/** More are collapsed: a new partner has about twenty. */
const SHOWN_AT_ONCE = 4;
/** Longer lists are collapsed: an export may name a thousand leads. */
const LISTED_AT_ONCE = 6;

/** Where the width allows. */
const ON_ONE_LINE = { display: 'flex', flexWrap: 'wrap', columnGap: 12 } as const;

export function ChangedFields({
  changes,
  words,
}: {
  readonly changes: Changes;
  /** A value in words of the page; null for those of every page. */
  readonly words?: (field: string, value: unknown) => string | null;
}): ReactNode {
  const fields = Object.entries(changes);
  if (fields.length === 0) return <span aria-label="none">—</span>;
  const isFolded = fields.length > SHOWN_AT_ONCE;
  const list = (
    <List size="sm" listStyleType="none" style={isFolded ? undefined : ON_ONE_LINE}>
      {fields.map(([name, { from, to }]) => (
        <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
          <Text span inherit c="dimmed">
            {fieldInWords(name)}:
          </Text>{' '}
          {from !== null && from !== undefined && <>{words?.(name, from) ?? <Value value={from} />} → </>}
          {words?.(name, to) ?? <Value value={to} />}
        </List.Item>
      ))}
    </List>
  );
  return (
    <Box miw={{ base: 0, xs: 200 }} maw={480}>
      {isFolded ? <Folded title={`${fields.length} fields`}>{list}</Folded> : list}
    </Box>
  );
}

function Value({ value }: { readonly value: unknown }): ReactNode {
  if (isInstant(value)) return <Time at={value} kind="short" />;
  const words = valueInWords(value);
  return Array.isArray(value) && value.length > LISTED_AT_ONCE ? (
    <Folded title={formatNumber(value.length)}>{words}</Folded>
  ) : (
    words
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <details style={{ display: 'inline-block', verticalAlign: 'top' }}>
      <Text component="summary" size="sm" style={{ cursor: 'pointer' }}>
        {title}
      </Text>
      {children}
    </details>
  );
}
