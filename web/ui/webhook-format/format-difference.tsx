// The difference that a change of a webhook format makes, member by member.
import { List, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';

import type { WebhookFormat } from './format-form.ts';
import { formatChanges } from './format-words.ts';

/** Templates and rules have several lines. */
const LINES = { whiteSpace: 'pre-wrap' } as const;

/** Null is the standard format. */
export function FormatDifference({
  before,
  after,
}: {
  readonly before: WebhookFormat | null;
  readonly after: WebhookFormat | null;
}): ReactNode {
  return (
    <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
      {formatChanges(before, after).map(({ member, from, to }) => (
        <List.Item key={member}>
          <Text component="span" fw={600} inherit>
            {member}:
          </Text>{' '}
          <VisuallyHidden>from</VisuallyHidden> <s style={LINES}>{from}</s> <span aria-hidden="true">→</span>
          <VisuallyHidden>to</VisuallyHidden>{' '}
          <Text component="span" fw={500} inherit style={LINES}>
            {to}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
