// Code samples in several languages as tabs; in print all of them.
import { Stack, Tabs, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import type { SampleCode } from '../../../../src/portal/supplier/specification.schema.ts';
import { CodeBlock } from '../../../ui/copy.tsx';
import styles from './specification.module.css';

export function CodeTabs({
  label,
  samples,
}: {
  /** What the samples do: `Code that posts the example`. */
  readonly label: string;
  readonly samples: readonly SampleCode[];
}): ReactNode {
  const blocks = samples.map((sample) => ({
    ...sample,
    block: <CodeBlock text={sample.code} label={`${label}, in ${sample.label}`} />,
  }));
  return (
    <>
      <Tabs defaultValue={samples[0]?.language ?? ''} className={styles['onScreen'] ?? ''}>
        <Tabs.List aria-label={label}>
          {blocks.map(({ language, label: name }) => (
            <Tabs.Tab key={language} value={language}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {blocks.map(({ language, block }) => (
          <Tabs.Panel key={language} value={language} pt="xs">
            {block}
          </Tabs.Panel>
        ))}
      </Tabs>
      <div className={styles['onPaper']}>
        <Stack gap="xs">
          {blocks.map(({ language, label: name, block }) => (
            <div key={language}>
              <Title order={3}>{name}</Title>
              {block}
            </div>
          ))}
        </Stack>
      </div>
    </>
  );
}
