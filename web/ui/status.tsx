// A status word with a colored dot. The word in text color is sufficient, so the dot needs neither contrast nor color vision.
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warn' | 'idle';

const TONES: Readonly<Record<string, Tone>> = {
  // Deliveries.
  Confirmed: 'good',
  Pending: 'warn',
  Failed: 'bad',
  Returned: 'idle',
  // Leads.
  received: 'idle',
  held: 'warn',
  routed: 'good',
  rejected: 'bad',
  // Claims.
  submitted: 'warn',
  under_review: 'warn',
  approved: 'good',
  denied: 'bad',
  withdrawn: 'idle',
  // Partners, suppliers, offers.
  active: 'good',
  paused: 'warn',
  suspended: 'bad',
  pending: 'warn',
  closed: 'idle',
  capped: 'warn',
  // Attempts.
  scheduled: 'warn',
  succeeded: 'good',
  failed: 'bad',
  exhausted: 'bad',
  // Invoices.
  draft: 'idle',
  issued: 'warn',
  paid: 'good',
  overdue: 'bad',
  void: 'idle',
};

export function Status({ children, tone }: { readonly children: string; readonly tone?: Tone }): ReactNode {
  const color = `var(--lm-${tone ?? TONES[children] ?? 'idle'})`;
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex" component="span">
      <span aria-hidden="true" style={{ width: 9, height: 9, borderRadius: 9, background: color, flex: 'none' }} />
      <Text component="span" inherit style={{ whiteSpace: 'nowrap' }}>
        {children.replaceAll('_', ' ')}
      </Text>
    </Group>
  );
}
