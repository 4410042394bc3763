// The same program in several languages, one at a time; on paper all of them.
import { Stack, Tabs, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import { CodeBlock } from '../../ui/copy.tsx';
import styles from './specification.module.css';
import type { SampleCode } from './supplier-api.ts';

export function CodeTabs({
  label,
  samples,
}: {
  /** What the programs do: `Code that posts the example`. */
  readonly label: string;
  readonly samples: readonly SampleCode[];
}): ReactNode {
  return (
    <Tabs defaultValue={samples[0]?.language ?? ''} keepMounted>
      <Tabs.List aria-label={label}>
        {samples.map((sample) => (
          <Tabs.Tab key={sample.language} value={sample.language}>
            {sample.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {samples.map((sample) => (
        <Tabs.Panel key={sample.language} value={sample.language} pt="xs">
          <Stack gap={4}>
            <Title order={3} className={styles['onPaper'] ?? ''}>
              {sample.label}
            </Title>
            <CodeBlock text={sample.code} label={`${label}, in ${sample.label}`} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
