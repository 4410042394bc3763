// A timeline: moments below each other, each with an icon, a title, a text and its time.
import { Text } from '@mantine/core';
import type { CheckIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import type { Tone } from './status.tsx';
import { Time } from './zone.tsx';
import classes from './timeline.module.css';

export type Mark = { readonly title: string; readonly tone: Tone; readonly icon: typeof CheckIcon };
export type Moment = { readonly key: string; readonly at: string; readonly mark: Mark; readonly text: ReactNode };

export function Timeline({ moments }: { readonly moments: readonly Moment[] }): ReactNode {
  return (
    <ol className={classes['events']}>
      {moments.map(({ key, at, mark: { title, tone, icon: Icon }, text }) => (
        <li key={key} className={classes['event']}>
          <span className={classes['mark']} style={{ color: `var(--lm-${tone})` }} aria-hidden="true">
            <Icon />
          </span>
          <div>
            <Text fw={600} size="sm">
              {title}
            </Text>
            <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
              {text}
            </Text>
            <Text size="xs" c="dimmed">
              <Time at={at} />
            </Text>
          </div>
        </li>
      ))}
    </ol>
  );
}
