// The review page of one claim: the partner's statement, our data, the decision, and the next claim; usable by keyboard.
import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { KeyboardIcon } from '@radix-ui/react-icons';
import { noop, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { choiceFilter, textFilter, useFilters } from '../../ui/filters.ts';
import { count, formatAgo } from '../../ui/formats.ts';
import { ButtonLink, PageLink } from '../../ui/link.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { useShortcutSetting } from '../../ui/shortcuts.ts';
import { Time } from '../../ui/zone.tsx';
import { RequestError } from '../../ui/request.ts';
import { ClaimContext } from './claim-context.tsx';
import { ReviewTimeline } from './review-timeline.tsx';
import type { ClaimReview, DecidedClaim } from '../../../src/console/claims.schema.ts';
import { reviewOf, searchFor } from './review-query.ts';
import { type DecisionHandle, Decision, decidedWords } from './decision.tsx';
import { OurData, PartnerSays } from './evidence.tsx';
import { focusHeading } from '../focus-heading.ts';
import { KeyHint, type Shortcut, ShortcutHelp, useShortcuts } from './shortcuts.tsx';
import { decisionAbove, clearDecision, noteDecision } from './decision-notice.ts';
import { Allowed } from '../allowed.tsx';

const FILTERS = { kind: choiceFilter(['', 'return', 'dispute']), partner: textFilter, vertical: textFilter };

export function ClaimPage(): ReactNode {
  const { claimId = '' } = useParams({ strict: false }) as { readonly claimId?: string };
  // A new key per claim resets the note and moves the focus to the heading.
  return <OneClaim key={claimId} claimId={claimId} />;
}

function OneClaim({ claimId }: { readonly claimId: string }): ReactNode {
  const [filter] = useFilters(FILTERS);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const query = useQuery(reviewOf(claimId, filter));
  const [notice, setNotice] = useState(() => decisionAbove(claimId));
  const next = query.data?.queue.next ?? null;
  useEffect(() => {
    // Preloads the next claim.
    if (next !== null) queries.query(reviewOf(next, filter)).catch(noop);
  }, [next, filter, queries]);

  const status = query.data?.status;
  const statusBefore = useRef(status);
  useEffect(() => {
    // The button that had the focus is gone after the step.
    if (notice !== null && statusBefore.current !== undefined && statusBefore.current !== status) focusHeading();
    statusBefore.current = status;
  }, [status, notice]);
  const go = (to: string): void => {
    void navigate({ to: '/claims/$claimId', params: { claimId: to }, search: searchFor(filter) });
  };
  const onDecided = (decided: DecidedClaim, words: string): void => {
    const isLast = decided.next === null;
    const above = decided.next ?? claimId;
    noteDecision(isLast ? `${words} No other claims are waiting.` : words, above);
    void queries.invalidateQueries({ queryKey: ['claims'] });
    if (above === claimId) setNotice(decisionAbove(claimId));
    else go(above);
  };
  const dismiss = (): void => {
    clearDecision();
    setNotice(null);
  };
  if (query.data === undefined) return <Waiting query={query} />;
  return (
    <ReviewPage
      review={query.data}
      notice={notice}
      onDismiss={dismiss}
      go={(to) => {
        clearDecision();
        go(to);
      }}
      onDecided={onDecided}
      isOutdated={query.isError}
    />
  );
}

function Waiting({ query }: { readonly query: ReturnType<typeof useQuery<ClaimReview>> }): ReactNode {
  if (!query.isError) return <Loading what="Loading the claim" />;
  if (query.error instanceof RequestError && query.error.status === 404) {
    return (
      <Page
        title="Claim"
        actions={
          <ButtonLink to="/claims" variant="default">
            All claims
          </ButtonLink>
        }
      >
        <Empty title="Claim not found">The address may be mistyped. Find the claim in the list.</Empty>
      </Page>
    );
  }
  return (
    <Page title="Claim">
      <Failure error={query.error} title="This could not be loaded" onRetry={() => void query.refetch()} />
    </Page>
  );
}

function ReviewPage({
  review,
  notice,
  onDismiss,
  go,
  onDecided,
  isOutdated,
}: {
  readonly review: ClaimReview;
  /** The outcome of the previous decision. */
  readonly notice: string | null;
  readonly onDismiss: () => void;
  readonly go: (claimId: string) => void;
  readonly onDecided: (decided: DecidedClaim, words: string) => void;
  readonly isOutdated: boolean;
}): ReactNode {
  const [isOn, setOn] = useShortcutSetting();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [hint, setHint] = useState('');
  const decision = useRef<DecisionHandle>(null);
  const { queue } = review;
  const move = (to: string | null, none: string): void => (to === null ? setHint(none) : go(to));
  const isOpen = review.effect !== null;
  const onDecision = (act: (handle: DecisionHandle) => void): void => {
    if (isOpen && decision.current !== null) act(decision.current);
    else setHint(isOpen ? 'Your role cannot decide claims.' : 'This claim is already closed.');
  };
  const shortcuts: readonly Shortcut[] = [
    { key: 'j', what: 'Next open claim', act: () => move(queue.next, 'This is the last open claim.') },
    {
      key: 'k',
      what: 'Previous open claim',
      act: () => move(queue.previous, 'This is the first open claim.'),
    },
    { key: 'a', what: 'Approve, with a confirmation', act: () => onDecision(({ approve }) => approve()) },
    { key: 'd', what: 'Deny: go to the note', act: () => onDecision(({ focusNote }) => focusNote()) },
    { key: 'u', what: 'Begin review, with a confirmation', act: () => onDecision(({ take }) => take()) },
    { key: '?', what: 'Show shortcuts', act: () => setHelpOpen(true) },
  ];
  useShortcuts(shortcuts, isOn);
  return (
    <Page
      title={`${review.kind === 'return' ? 'Return' : 'Dispute'} of ${review.deliveryRef}`}
      description={<ClaimStatusLine review={review} />}
      actions={
        <>
          <Step label="Previous" shortcut="k" to={queue.previous} go={go} isOn={isOn} />
          <Step label="Next" shortcut="j" to={queue.next} go={go} isOn={isOn} />
          <Button variant="default" onClick={() => setHelpOpen(true)} leftSection={<KeyboardIcon aria-hidden="true" />}>
            Keys
          </Button>
          <ButtonLink to="/claims" variant="default">
            All claims
          </ButtonLink>
        </>
      }
    >
      {notice !== null && (
        <Alert
          variant="outline"
          color="pine"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={onDismiss}
          title="Done"
        >
          {notice}
        </Alert>
      )}
      {isOutdated && <Failure error={null} title="This may be out of date" />}
      <Text role="status" size="sm" c="dimmed" mt={-12}>
        {hint}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <PartnerSays review={review} />
        <OurData review={review} />
      </SimpleGrid>
      <Allowed to="operate" otherwise="decide claims">
        <Decision
          ref={decision}
          review={review}
          areKeysOn={isOn}
          onDecided={(decided) => onDecided(decided, decidedWords(review, decided))}
        />
      </Allowed>
      <ReviewTimeline review={review} />
      <ClaimContext review={review} />
      <ShortcutHelp
        shortcuts={shortcuts}
        isOpen={isHelpOpen}
        onClose={() => setHelpOpen(false)}
        isOn={isOn}
        onSwitch={setOn}
      />
    </Page>
  );
}

function ClaimStatusLine({ review }: { readonly review: ClaimReview }): ReactNode {
  const { partner, partnerName, status, decisionDueAt, isLate, queue, effect } = review;
  const open = queue.hasMore ? `more than ${count(queue.open, 'claim')}` : count(queue.open, 'claim');
  return (
    <Group gap="xs" component="span">
      <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
        {partnerName}
      </PageLink>
      <span aria-hidden="true">·</span>
      <Status>{status}</Status>
      {effect !== null && (
        <>
          <span aria-hidden="true">·</span>
          <span style={isLate ? { color: 'var(--lm-bad)', fontWeight: 650 } : {}}>
            {isLate ? 'late: ' : ''}decision due <Time at={decisionDueAt} /> ({formatAgo(decisionDueAt, new Date())})
          </span>
        </>
      )}
      <span aria-hidden="true">·</span>
      <span>{queue.open === 0 ? 'no claims waiting' : `${open} waiting`}</span>
    </Group>
  );
}

function Step({
  label,
  shortcut,
  to,
  go,
  isOn,
}: {
  readonly label: string;
  readonly shortcut: string;
  readonly to: string | null;
  readonly go: (claimId: string) => void;
  readonly isOn: boolean;
}): ReactNode {
  return (
    <Button
      variant="default"
      disabled={to === null}
      onClick={() => (to === null ? undefined : go(to))}
      rightSection={<KeyHint isOn={isOn}>{shortcut}</KeyHint>}
      aria-keyshortcuts={isOn ? shortcut : undefined}
    >
      {label}
    </Button>
  );
}
