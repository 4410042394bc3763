// The public status of a lead, and the reasons of a rejection with their remedies.
import { Code, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import type { Reason } from '../../../src/portal/supplier/submissions.schema.ts';
import { Status, type Tone } from '../../ui/status.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  Pending: 'warn',
  'Lead Sale': 'good',
  'Calendar Assigned': 'good',
  Duplicate: 'bad',
  'No Buyer': 'bad',
  Invalid: 'bad',
  Suppressed: 'bad',
};

const LABELS: Readonly<Record<string, string>> = {
  Invalid: 'Rejected',
  'Lead Sale': 'Sold',
  'Calendar Assigned': 'Sold (booked call)',
};

export function LeadStatus({ status }: { readonly status: string }): ReactNode {
  return <Status tone={TONES[status] ?? 'idle'}>{leadStatusWord(status)}</Status>;
}

function leadStatusWord(status: string): string {
  return LABELS[status] ?? status;
}

/** Each reason with its remedy, and the fields that an unsold lead lacks. */
export function Reasons({
  reasons,
  lacking,
}: {
  readonly reasons: readonly Reason[];
  readonly lacking: readonly string[];
}): ReactNode {
  if (reasons.length + lacking.length === 0) return null;
  return (
    <Stack gap="md">
      {reasons.map(({ reason, meaning, remedy }) => (
        <div key={reason}>
          <Title order={3}>{reason.replaceAll('_', ' ')}</Title>
          <Text size="sm">{meaning}</Text>
          <Text size="sm">
            <strong>What to do:</strong> {remedy}
          </Text>
        </div>
      ))}
      {lacking.length > 0 && (
        <div>
          <Text size="sm">The lead lacks these fields, which buyers often filter on:</Text>
          <List size="sm">
            {lacking.map((field) => (
              <List.Item key={field}>
                <Code>{field}</Code>
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </Stack>
  );
}
