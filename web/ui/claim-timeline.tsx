// The timeline of a claim, from its filing to the credit.
import {
  CheckCircledIcon,
  CrossCircledIcon,
  EnvelopeClosedIcon,
  EyeOpenIcon,
  FilePlusIcon,
  PlusCircledIcon,
  ResetIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';

import type { ClaimTimeline as Steps } from '../../src/claims/claim-timeline.schema.ts';
import { Section } from './facts.tsx';
import { type Mark, Timeline } from './timeline.tsx';

type Step = Steps[number];
export type Author = NonNullable<Step['by']>;
export type Credit = NonNullable<Step['credit']>;

const MARKS: Readonly<Record<Step['step'], Mark>> = {
  filed: { title: 'Filed', tone: 'idle', icon: EnvelopeClosedIcon },
  file_added: { title: 'File added', tone: 'idle', icon: FilePlusIcon },
  under_review: { title: 'Review begun', tone: 'warn', icon: EyeOpenIcon },
  withdrawn: { title: 'Withdrawn', tone: 'idle', icon: ResetIcon },
  approved: { title: 'Approved', tone: 'good', icon: CheckCircledIcon },
  denied: { title: 'Denied', tone: 'bad', icon: CrossCircledIcon },
  credited: { title: 'Credited', tone: 'good', icon: PlusCircledIcon },
};

/** `the access token “CRM”` */
export function tokenWords(label: string | null): string {
  return label === null ? 'an access token' : `the access token “${label}”`;
}

export function ClaimTimeline({
  steps,
  authorWords,
  renderCredit,
}: {
  readonly steps: Steps;
  /** By whom: `By the marketplace`. */
  readonly authorWords: (author: Author) => string;
  /** How much was credited, with links to where it stands. */
  readonly renderCredit: (credit: Credit) => ReactNode;
}): ReactNode {
  return (
    <Section title="Timeline">
      <Timeline
        moments={steps.map(({ step, at, by, credit }, position) => ({
          key: `${position} ${step}`,
          at,
          mark: MARKS[step],
          text: by === null ? credit !== null && renderCredit(credit) : authorWords(by),
        }))}
      />
    </Section>
  );
}
