// Chooses between the standard webhook and a format of the partner's own, with presets to start from.
import { Alert, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';

import type { WebhookResponse } from '../../../src/scopes/webhook-trial.schema.ts';
import { FormatFields } from './format-fields.tsx';
import { emptyFormat, type FaultOf, type WebhookFormat } from './format-form.ts';
import { PRESETS } from './presets.ts';

/** Keyed by the draft's generation: some fields have a state of their own. */
export function FormatEditor({
  format,
  onChange,
  faultOf,
  isReadOnly = false,
  responses,
}: {
  /** Null for the standard format. */
  readonly format: WebhookFormat | null;
  readonly onChange: (format: WebhookFormat | null) => void;
  readonly faultOf: FaultOf;
  readonly isReadOnly?: boolean;
  /** The latest ones, to show beside the rules that read them. */
  readonly responses: readonly WebhookResponse[];
}): ReactNode {
  // Replacing all fields at once gives them new states.
  const [chosen, setChosen] = useState({ preset: '', times: 0 });
  const [kept, setKept] = useState<WebhookFormat | null>(null);
  const preset = PRESETS.find(({ name }) => name === chosen.preset);
  const isCustom = format?.format === 'custom';
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Format"
        data={[
          { value: 'standard', label: 'Standard' },
          { value: 'custom', label: 'Custom' },
        ]}
        value={isCustom ? 'custom' : 'standard'}
        readOnly={isReadOnly}
        onChange={(next) => {
          if (next === 'standard') {
            setKept(format);
            onChange(null);
          } else onChange(kept ?? emptyFormat);
        }}
        style={{ alignSelf: 'flex-start' }}
      />
      {isCustom ? (
        <>
          {!isReadOnly && (
            <Group>
              <Select
                label="Start from a preset"
                description="Replaces everything below."
                placeholder="Choose a system"
                data={PRESETS.map(({ name, label }) => ({ value: name, label }))}
                value={chosen.preset === '' ? null : chosen.preset}
                allowDeselect={false}
                onChange={(name) => {
                  const next = PRESETS.find((one) => one.name === name);
                  if (next === undefined) return;
                  setChosen(({ times }) => ({ preset: next.name, times: times + 1 }));
                  onChange(next.webhook);
                }}
                maw={360}
                flex="1 1 260px"
              />
            </Group>
          )}
          {preset !== undefined && (
            <Alert color="gray" variant="outline" title={preset.label}>
              <Stack gap="xs">
                {preset.about.split('\n').map((paragraph) => (
                  <Text key={paragraph} size="sm">
                    {paragraph}
                  </Text>
                ))}
              </Stack>
            </Alert>
          )}
          <FormatFields
            key={chosen.times}
            format={format}
            onChange={onChange}
            faultOf={faultOf}
            isReadOnly={isReadOnly}
            responses={responses}
          />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          A signed JSON message by Standard Webhooks. A response of 2xx accepts the lead.
        </Text>
      )}
    </Stack>
  );
}
