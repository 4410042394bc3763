// A stage in the story of a lead: a mark on a vertical line, and a section.
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { Tone } from '../../ui/status.tsx';
import styles from './lead-story.module.css';

export function StoryStages({ children }: { readonly children: ReactNode }): ReactNode {
  return <ol className={styles['stages']}>{children}</ol>;
}

export function StoryStage({
  title,
  tone,
  actions,
  children,
}: {
  readonly title: string;
  readonly tone: Tone;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <li className={styles['stage']}>
      <span aria-hidden="true" className={styles['mark']} style={{ background: `var(--lm-${tone})` }} />
      <Section title={title} {...(actions === undefined ? {} : { actions })}>
        {children}
      </Section>
    </li>
  );
}
