// The dialog that approves or denies several claims with one note: what follows, the progress, a way to stop, and the claims that were not
// decided. Import this file only through `lazyPart`.
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import { count, formatMoney } from '../../ui/formats.ts';
import { notify } from '../../ui/notify.tsx';
import { isOutcomeUnknown, RequestError } from '../../ui/request.ts';
import { Failure } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import { focusHeading } from '../focus-heading.ts';
import type { Deciding } from './decide-selected.tsx';
import { NoteField } from './note-field.tsx';

const ACTIONS = { approve: 'Approve', deny: 'Deny' } as const;
const DONE = { approve: 'approved', deny: 'denied' } as const;

type Outcome =
  | { readonly isDecided: true; readonly credit: number }
  | { readonly isDecided: false; readonly why: string };

export function DecideDialog({
  deciding: { decision, claims, closed, clear },
  currency,
  onClose,
}: {
  readonly deciding: Deciding;
  readonly currency: string;
  readonly onClose: () => void;
}): ReactNode {
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const [noteError, setNoteError] = useState<string | null>(null);
  // By claim. After an outage it goes on with the claims that have none.
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  // The claim whose decision got no response yet: it may have been made or not.
  const [unclear, setUnclear] = useState<string | null>(null);
  const [isStopped, setStopped] = useState(false);
  // Read by the work while it runs.
  const stopped = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const all = new Map(outcomes);
      for (const { id } of claims) {
        if (stopped.current) break;
        if (all.has(id)) continue;
        setUnclear(id);
        all.set(id, await decideOne(decision, id, note.trim()));
        setOutcomes(new Map(all));
        setUnclear(null);
      }
      return all;
    },
    onError: (failure) => {
      if (!isOutcomeUnknown(failure)) setUnclear(null);
    },
    onSuccess: (all) => {
      if (stopped.current || [...all.values()].some(({ isDecided }) => !isDecided)) return;
      notify(wordsFor(decision, all, currency));
      close(all);
    },
  });
  const close = (all = outcomes): void => {
    onClose();
    if (all.size === 0 && unclear === null) return;
    clear();
    void queries.invalidateQueries({ queryKey: ['claims'] });
    // The button that opened the dialog is gone with the selection.
    focusHeading();
  };
  const submit = (): void => {
    const isMissing = decision === 'deny' && note.trim() === '';
    setNoteError(isMissing ? 'Enter a reason. It is shown to the partner.' : null);
    if (!isMissing && !isPending) mutate();
  };
  const isDone = isStopped || outcomes.size === claims.length;
  // A request under way is not waited for: a frozen process may never respond. If it does, the result shows it.
  const stop = (): void => {
    if (isDone || (outcomes.size === 0 && unclear === null)) return close();
    stopped.current = true;
    setStopped(true);
  };
  const many = count(claims.length, 'claim');
  return (
    <Modal
      opened
      onClose={stop}
      title={isDone ? 'Result' : `${ACTIONS[decision]} ${many}?`}
      centered
      closeOnClickOutside={!isPending}
    >
      {isDone ? (
        <Result {...{ decision, claims, outcomes, unclear }} onClose={() => close()}>
          {wordsFor(decision, outcomes, currency)}
        </Result>
      ) : (
        <form
          aria-label={`${ACTIONS[decision]} ${many}`}
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Stack>
            <Effect decision={decision} claims={claims} closed={closed} currency={currency} />
            <NoteField
              reason={sameReason(claims)}
              directions={[decision]}
              description={
                decision === 'deny'
                  ? 'Required. It is shown to the partner with each claim.'
                  : 'Optional. It is shown to the partner with each claim.'
              }
              note={note}
              error={noteError}
              onNote={setNote}
              onError={setNoteError}
              onSubmit={submit}
            />
            <Text fw={650}>This cannot be undone.</Text>
            {error !== null && (
              <Failure error={error} title={`The work stopped after ${outcomes.size} of ${claims.length} claims`} />
            )}
            <Group justify="flex-end">
              <Text size="sm" c="dimmed" role="status" mr="auto">
                {isPending && `${outcomes.size} of ${claims.length} …`}
              </Text>
              <Button variant="default" onClick={stop}>
                {isPending ? 'Stop' : 'Cancel'}
              </Button>
              <Button
                type="submit"
                loading={isPending}
                {...(decision === 'deny' ? { color: 'red.9' } : {})}
                data-autofocus
              >
                {ACTIONS[decision]}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

/** Decides one claim by the route of a single decision. Rejects if the others would fare no better, and if it may have been decided. */
async function decideOne(decision: Deciding['decision'], claimId: string, note: string): Promise<Outcome> {
  const params = { claimId };
  try {
    const { credit } = await (decision === 'approve'
      ? request('POST /console/api/claims/:claimId/approve', { params, body: note === '' ? {} : { note } })
      : request('POST /console/api/claims/:claimId/deny', { params, body: { note } }));
    return { isDecided: true, credit: credit ?? 0 };
  } catch (error) {
    if (isOutcomeUnknown(error) || !(error instanceof RequestError)) throw error;
    if (error.status !== 404 && error.status !== 409) throw error;
    return { isDecided: false, why: error.status === 404 ? 'The claim no longer exists.' : error.message };
  }
}

function Effect({
  decision,
  claims,
  closed,
  currency,
}: Pick<Deciding, 'decision' | 'claims' | 'closed'> & { readonly currency: string }): ReactNode {
  const names = [...new Set(claims.map(({ partnerName }) => partnerName))];
  const [only = ''] = names;
  const partners = names.length === 1 ? only : count(names.length, 'partner');
  const credit = claims.reduce((sum, { payout }) => sum + payout, 0);
  const words = {
    approve:
      credit === 0
        ? 'No credit: nothing was charged.'
        : `${formatMoney(credit, currency)} is credited to ${partners} at once.`,
    deny: `No credit. ${partners} ${names.length === 1 ? 'is' : 'are'} notified at once, with your note.`,
  };
  return (
    <Stack gap="xs">
      <Text>{words[decision]}</Text>
      {closed > 0 && (
        <Text size="sm">
          {closed === 1
            ? '1 selected claim is closed already and is'
            : `${closed} selected claims are closed already and are`}{' '}
          left out.
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {sameReason(claims) === null && 'The claims have different reasons, and the note goes to all of them. '}
        What our own data say is on the page of each claim.
      </Text>
    </Stack>
  );
}

/** Null if they have different ones. */
function sameReason(claims: readonly QueuedClaim[]): string | null {
  const reasons = new Set(claims.map(({ reason }) => reason));
  const [reason = null] = reasons;
  return reasons.size === 1 ? reason : null;
}

function wordsFor(decision: Deciding['decision'], outcomes: ReadonlyMap<string, Outcome>, currency: string): string {
  const decided = [...outcomes.values()].filter((outcome) => outcome.isDecided);
  const credit = decided.reduce((sum, one) => sum + one.credit, 0);
  const missed = outcomes.size - decided.length;
  return [
    `${count(decided.length, 'claim')} ${DONE[decision]}${credit === 0 ? '' : `, ${formatMoney(credit, currency)} credited`}.`,
    ...(missed === 0 ? [] : [`${count(missed, 'claim')} could not be ${DONE[decision]}.`]),
  ].join(' ');
}

function Result({
  decision,
  claims,
  outcomes,
  unclear,
  onClose,
  children,
}: Pick<Deciding, 'decision' | 'claims'> & {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly unclear: string | null;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const closing = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone.
  useEffect(() => closing.current?.focus(), []);
  const whyNot = (id: string): string | null => {
    const outcome = outcomes.get(id);
    if (outcome !== undefined) return outcome.isDecided ? null : outcome.why;
    return id === unclear
      ? `No response. It may have been ${DONE[decision]} or not: look at the claim.`
      : `Not ${DONE[decision]}, because the work was stopped.`;
  };
  return (
    <Stack gap="md">
      <Text fw={600} role="status">
        {children}
      </Text>
      <Stack
        gap="sm"
        component="ul"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label="Claims that were not decided"
      >
        {claims.map(({ id, kind, deliveryRef, partnerName }) => {
          const why = whyNot(id);
          return why === null ? null : (
            <li key={id}>
              <Text size="sm">
                {kind === 'return' ? 'Return' : 'Dispute'} of {deliveryRef} · {partnerName}
              </Text>
              <Text size="sm" c="dimmed">
                {why}
              </Text>
            </li>
          );
        })}
      </Stack>
      <Group justify="flex-end">
        <Button ref={closing} onClick={onClose}>
          Back to claims
        </Button>
      </Group>
    </Stack>
  );
}
