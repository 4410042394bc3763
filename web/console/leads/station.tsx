// One station on the way of a lead: a mark on the line, and what happened there.
import type { ReactNode } from 'react';

import { Section } from '../../ui/facts.tsx';
import type { Tone } from '../../ui/status.tsx';
import styles from './lead-story.module.css';

export function Way({ children }: { readonly children: ReactNode }): ReactNode {
  return <ol className={styles['way']}>{children}</ol>;
}

export function Station({
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
    <li className={styles['station']}>
      <span aria-hidden="true" className={styles['mark']} style={{ background: `var(--lm-${tone})` }} />
      <Section title={title} {...(actions === undefined ? {} : { actions })}>
        {children}
      </Section>
    </li>
  );
}
