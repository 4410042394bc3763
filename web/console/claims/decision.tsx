// The decision on a claim: the effects of approving and denying, the note, and the confirmation.
import { Box, Button, Group, List, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';

import { Confirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { textFilter, choiceFilter, useFilters } from '../../ui/filters.ts';
import { formatMoney } from '../../ui/formats.ts';
import { PageLink } from '../../ui/link.tsx';
import { newKey } from '../../ui/request.ts';
import { Status } from '../../ui/status.tsx';
import { Time } from '../../ui/zone.tsx';
import type { ClaimReview, DecidedClaim } from '../../../src/console/claims.schema.ts';
import { request } from '../console-api.ts';
import { findingOf } from './evidence-words.ts';
import { NoteField } from './note-field.tsx';
import { KeyHint } from './shortcuts.tsx';

export type DecisionHandle = {
  readonly approve: () => void;
  readonly focusNote: () => void;
  readonly take: () => void;
};

type Asked = 'approve' | 'deny' | 'take';

const PATHS = { approve: 'approve', deny: 'deny', take: 'start-review' } as const;
const FILTERS = { kind: choiceFilter(['', 'return', 'dispute']), partner: textFilter, vertical: textFilter };

export function Decision({
  ref,
  review,
  areKeysOn,
  onDecided,
}: {
  readonly ref: Ref<DecisionHandle>;
  readonly review: ClaimReview;
  readonly areKeysOn: boolean;
  readonly onDecided: (decided: DecidedClaim) => void;
}): ReactNode {
  const [filter] = useFilters(FILTERS);
  const [note, setNote] = useState('');
  const [noteError, setNoteError] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked>('approve');
  const [isAsking, setAsking] = useState(false);
  const [taken, setTaken] = useState(false);
  // One key per confirmation, so that a second click repeats the same command.
  const key = useRef('');
  const field = useRef<HTMLTextAreaElement>(null);
  const ask = (input: Asked): void => {
    key.current = newKey();
    setAsked(input);
    setAsking(true);
  };
  const deny = (): void => {
    setNoteError(note.trim() === '' ? 'Enter a reason. It is shown to the partner.' : null);
    if (note.trim() === '') field.current?.focus();
    else ask('deny');
  };
  const isTakable = review.status === 'submitted';
  useImperativeHandle(ref, () => ({
    approve: () => ask('approve'),
    focusNote: () => field.current?.focus(),
    take: () => (isTakable ? ask('take') : undefined),
  }));
  const decide = async (): Promise<void> => {
    const body = asked === 'take' || note.trim() === '' ? {} : { note: note.trim() };
    const decided = await request(`POST /console/api/claims/:claimId/${PATHS[asked]}`, {
      params: { claimId: review.id },
      query: filter,
      body,
      idempotencyKey: key.current,
    });
    if (asked === 'take') setTaken(true);
    onDecided(asked === 'take' ? { ...decided, next: review.id } : decided);
  };
  const { effect } = review;
  if (effect === null) return <Closed review={review} />;
  // The filled button is the one that our data suggest; neither if they are inconclusive.
  const { verdict } = findingOf(review);
  return (
    <Section title="Decision">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Approval review={review} />
        <Denial review={review} />
      </SimpleGrid>
      <NoteField
        ref={field}
        reason={review.reason}
        directions={['approve', 'deny']}
        description="Required to deny, and shown to the partner. Ctrl+Enter denies."
        note={note}
        error={noteError}
        onNote={setNote}
        onError={setNoteError}
        onSubmit={deny}
      />
      <Group>
        <Button
          variant={verdict === 'supports' ? 'filled' : 'default'}
          onClick={() => ask('approve')}
          rightSection={<KeyHint isOn={areKeysOn}>a</KeyHint>}
          {...keys('a', areKeysOn)}
        >
          Approve {formatMoney(effect.credit, review.currency)}
        </Button>
        <Button
          color="red.9"
          {...(verdict === 'contradicts' ? {} : { variant: 'outline', c: 'var(--lm-bad)' })}
          onClick={deny}
          rightSection={<KeyHint isOn={areKeysOn}>d</KeyHint>}
          {...keys('d', areKeysOn)}
        >
          Deny
        </Button>
        <TakeButton isTakable={isTakable} isTaken={taken} areKeysOn={areKeysOn} onTake={() => ask('take')} />
      </Group>
      <Question
        asked={asked}
        isOpen={isAsking}
        review={review}
        note={note.trim()}
        onConfirm={decide}
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}

function TakeButton({
  isTakable,
  isTaken,
  areKeysOn,
  onTake,
}: {
  readonly isTakable: boolean;
  /** On this page, just now. */
  readonly isTaken: boolean;
  readonly areKeysOn: boolean;
  readonly onTake: () => void;
}): ReactNode {
  return isTakable ? (
    <Button
      variant="default"
      onClick={onTake}
      rightSection={<KeyHint isOn={areKeysOn}>u</KeyHint>}
      {...keys('u', areKeysOn)}
    >
      Begin review
    </Button>
  ) : (
    <Text size="sm" c="dimmed" role={isTaken ? 'status' : undefined}>
      Under review: the partner can no longer withdraw it.
    </Text>
  );
}

function keys(key: string, isOn: boolean): { 'aria-keyshortcuts'?: string } {
  return isOn ? { 'aria-keyshortcuts': key } : {};
}

function Effect({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Box>
      <Title order={3}>{title}</Title>
      <List size="sm" spacing={2}>
        {children}
      </List>
    </Box>
  );
}

function Approval({ review: { effect, currency, partnerName, lead } }: { readonly review: ClaimReview }): ReactNode {
  if (effect === null) return null;
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <Effect title="If you approve">
      <List.Item>
        {effect.credit === 0
          ? 'No credit: nothing was charged.'
          : `${money(effect.credit)} is credited to ${partnerName}: the balance goes from ${money(effect.balance)} to ${money(effect.balanceAfter)}.`}
      </List.Item>
      <List.Item>The delivery becomes Returned. It still counts against the offer’s cap.</List.Item>
      <List.Item>
        {partnerName} is notified {messageWords(effect.partnerMessage)}.
      </List.Item>
      <List.Item>
        {effect.supplierMessage
          ? `The supplier ${lead.supplierName} is notified that the lead was returned.`
          : `The supplier ${lead.supplierName} is not notified: it has no callback for returns.`}
      </List.Item>
    </Effect>
  );
}

function Denial({ review: { effect, partnerName, kind, cap } }: { readonly review: ClaimReview }): ReactNode {
  if (effect === null) return null;
  return (
    <Effect title="If you deny">
      <List.Item>No credit, and the delivery stays Confirmed.</List.Item>
      {cap !== null && (
        <List.Item>
          The return no longer counts: {Math.max(0, cap.limit - cap.used + 1)} of {cap.limit} are then left this month.
        </List.Item>
      )}
      <List.Item>
        {partnerName} is notified {messageWords(effect.partnerMessage)}, with your note.
      </List.Item>
      <List.Item>
        {effect.appealUntil === null ? (
          `${partnerName} cannot claim this delivery again by a ${kind}.`
        ) : (
          <>
            {partnerName} may appeal once by a dispute, until <Time at={effect.appealUntil} />.
          </>
        )}
      </List.Item>
    </Effect>
  );
}

function messageWords(sent: 'webhook' | 'feed'): string {
  return sent === 'webhook' ? 'by webhook' : 'in its claims and event feed';
}

/** `asked` stays set while the dialog closes, so that its text does not change during the fade. */
function Question({
  asked,
  isOpen,
  review,
  note,
  onConfirm,
  onClose,
}: {
  readonly asked: Asked;
  readonly isOpen: boolean;
  readonly review: ClaimReview;
  readonly note: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}): ReactNode {
  const { deliveryRef, partnerName, currency, effect } = review;
  const words = {
    approve: {
      title: `Approve the ${review.kind} of ${deliveryRef}?`,
      action: 'Approve',
      text: `${formatMoney(effect?.credit ?? 0, currency)} is credited to ${partnerName} at once.`,
    },
    deny: {
      title: `Deny the ${review.kind} of ${deliveryRef}?`,
      action: 'Deny',
      text: `${partnerName} is notified at once, with your note.`,
    },
    take: {
      title: `Begin review of ${deliveryRef}?`,
      action: 'Begin review',
      text: `${partnerName} can no longer withdraw the claim.`,
    },
  }[asked];
  return (
    <Confirm
      isOpen={isOpen}
      title={words.title}
      action={words.action}
      isDangerous={asked === 'deny'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Stack gap="xs">
        <Text>{words.text}</Text>
        {asked !== 'take' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {note === '' ? 'No note.' : `Your note: ${note}`}
          </Text>
        )}
        <Text fw={650}>This cannot be undone.</Text>
      </Stack>
    </Confirm>
  );
}

function Closed({ review }: { readonly review: ClaimReview }): ReactNode {
  const { decision, status, credit, currency, partner, partnerName } = review;
  return (
    <Section title="Decision">
      <Text fz="lg" fw={650} component="div">
        <Status>{status}</Status>
      </Text>
      {decision === null ? (
        <Text>{partnerName} withdrew the claim before a decision.</Text>
      ) : (
        <Text component="div" style={{ overflowWrap: 'anywhere' }}>
          Decided <Time at={decision.at} /> by {decision.by}: {decision.note}
        </Text>
      )}
      {credit !== null && (
        <Text>
          {formatMoney(credit, currency)} was credited:{' '}
          <PageLink to="/ledger" search={{ partner }}>
            the ledger of {partnerName}
          </PageLink>
          .
        </Text>
      )}
    </Section>
  );
}

/** The outcome of a decision, shown on the next page. */
export function decidedWords({ deliveryRef, partnerName, currency, lead }: ClaimReview, decided: DecidedClaim): string {
  if (decided.status === 'under_review') return `Review of ${deliveryRef} begun.`;
  const sent =
    decided.partnerMessage === null ? '' : ` ${partnerName} is notified ${messageWords(decided.partnerMessage)}.`;
  if (decided.status === 'denied') return `${deliveryRef} denied.${sent}`;
  const money =
    decided.credit === null
      ? 'no credit'
      : `${formatMoney(decided.credit, currency)} credited, new balance ${formatMoney(decided.balance, currency)}`;
  const supplier = decided.supplierMessage ? ` The supplier ${lead.supplierName} is notified.` : '';
  return `${deliveryRef} approved: ${money}.${sent}${supplier}`;
}
