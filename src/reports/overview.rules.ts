// Finds problems of the service, worst first, with remedies for the operator's overview.

export type QueueName = 'routing' | 'sending' | 'messages';

export type QueueState = {
  readonly queue: QueueName;
  /** Due and not yet started. */
  readonly waiting: number;
  /** In progress; null if unknown. */
  readonly inFlight: number | null;
  /** Due later: held or waiting for a retry. */
  readonly later: number;
  /** Whether there are more than the numbers show. */
  readonly isMore: boolean;
  /** How long the oldest job has been due, without jobs that wait for a failing endpoint; null if none is due. */
  readonly ageSeconds: number | null;
};

export type ProblemKind =
  | 'no_worker'
  | 'process_lost'
  | 'clocks_apart'
  | 'api_faults'
  | 'queue_old'
  | 'endpoints_failing'
  | 'endpoints_disabled'
  | 'attempts_refused'
  | 'dead_jobs'
  | 'partner_unreachable'
  | 'out_of_funds'
  | 'low_funds'
  | 'leads_unsold'
  | 'caps_full'
  | 'no_leads'
  | 'deliveries_failed';

export type Problem = {
  readonly kind: ProblemKind;
  /** `high`: leads or money are waiting for the operator. */
  readonly severity: 'high' | 'low';
  readonly text: string;
  readonly remedy: string;
  /** The queue concerned; null for problems of other kinds. */
  readonly queue: QueueName | null;
  /** The key of the partner concerned; null for problems of other kinds. */
  readonly partner: string | null;
};

export type MarketplaceStatus = {
  readonly queues: readonly QueueState[];
  readonly endpoints: { readonly failing: number; readonly disabled: number };
  readonly deadJobs: number;
  readonly deadJobsAreMore: boolean;
  /** The partner API, in the last minutes. */
  readonly recent: { readonly minutes: number; readonly responses: number; readonly faults: number };
  /** The latest attempts at endpoints of partners and suppliers. */
  readonly attempts: { readonly made: number; readonly serverErrors: number; readonly noResponse: number };
  readonly processes: ReadonlyArray<{
    readonly role: 'all' | 'api' | 'worker';
    readonly isLost: boolean;
    readonly clockAheadMs: number | null;
  }>;
};

/** Work normally starts within a second; a burst of leads does not explain half a minute. */
const OLD_SECONDS = 30;
/** A share of failed attempts larger than one bad endpoint among many causes, and the attempts needed for a meaningful share. */
const REFUSED_SHARE = 0.2;
const ATTEMPTS_AT_LEAST = 20;

const QUEUE_WORDS: Readonly<Record<QueueName, string>> = {
  routing: 'A lead has waited for its decision',
  sending: 'A delivery has been due',
  messages: 'A callback or notice has been due',
};

/** Within a severity, the `market` problems come after those of the service. */
export function problemsOf(status: MarketplaceStatus, market: readonly Problem[] = []): Problem[] {
  const problems = [
    ...processProblems(status),
    ...faultProblems(status),
    ...queueProblems(status),
    ...endpointProblems(status),
    ...attemptProblems(status),
    ...deadJobProblems(status),
    ...market,
  ];
  // The sort is stable: within a severity the order above is by importance.
  return problems.toSorted((one, other) => Number(one.severity === 'low') - Number(other.severity === 'low'));
}

function processProblems({ processes }: MarketplaceStatus): Problem[] {
  const lost = processes.filter(({ isLost }) => isLost).length;
  const apart = processes.filter(({ isLost, clockAheadMs }) => !isLost && clockAheadMs !== null).length;
  const hasWorker = processes.some(({ role, isLost }) => !isLost && role !== 'api');
  return [
    ...(hasWorker
      ? []
      : [
          problem('no_worker', 'high', {
            text: 'No worker is running: leads are taken in, but neither routed nor delivered.',
            remedy: 'Start a worker process.',
          }),
        ]),
    ...(lost === 0
      ? []
      : [
          problem('process_lost', hasWorker ? 'low' : 'high', {
            text: `${counted(lost, 'process', 'processes')} stopped unexpectedly.`,
            remedy: `Check ${lost === 1 ? 'its log' : 'their logs'}. Other processes take over what was begun.`,
          }),
        ]),
    ...(apart === 0
      ? []
      : [
          problem('clocks_apart', 'high', {
            text: `${counted(apart, 'process runs', 'processes run')} on a machine whose clock is not the database’s.`,
            remedy:
              'Synchronise the clocks of all machines (NTP). Until then work may wait and retries come too early or late.',
          }),
        ]),
  ];
}

function faultProblems({ recent }: MarketplaceStatus): Problem[] {
  if (recent.faults === 0) return [];
  return [
    problem('api_faults', 'high', {
      text: `${counted(recent.faults, 'answer', 'answers')} of ${recent.responses} in the last ${recent.minutes} minutes failed on our side (5xx).`,
      remedy: 'The log of the service has the cause under the request id of each.',
    }),
  ];
}

function queueProblems({ queues }: MarketplaceStatus): Problem[] {
  return queues.flatMap(({ queue, ageSeconds }) =>
    ageSeconds === null || ageSeconds <= OLD_SECONDS
      ? []
      : [
          {
            ...problem('queue_old', queue === 'messages' ? 'low' : 'high', {
              text: `${QUEUE_WORDS[queue]} for ${inWords(ageSeconds)}.`,
              remedy: 'If it goes on, the workers do not keep up: start another one, or look at their log.',
            }),
            queue,
          },
        ],
  );
}

function endpointProblems({ endpoints }: MarketplaceStatus): Problem[] {
  const { failing, disabled } = endpoints;
  return [
    ...(failing === 0
      ? []
      : [
          problem('endpoints_failing', 'high', {
            text: `${counted(failing, 'endpoint is', 'endpoints are')} failing. ${failing === 1 ? 'Its' : 'Their'} deliveries are queued and retried automatically.`,
            remedy: `See the last responses, and tell the owner${failing === 1 ? '' : 's'}.`,
          }),
        ]),
    ...(disabled === 0
      ? []
      : [
          problem('endpoints_disabled', 'low', {
            text: `${counted(disabled, 'endpoint is', 'endpoints are')} disabled: the offers of ${disabled === 1 ? 'its partner' : 'their partners'} are skipped.`,
            remedy: 'Enable it again when the partner says that it is back.',
          }),
        ]),
  ];
}

function attemptProblems({ attempts }: MarketplaceStatus): Problem[] {
  const { made, serverErrors, noResponse } = attempts;
  const bad = serverErrors + noResponse;
  if (made < ATTEMPTS_AT_LEAST || bad < made * REFUSED_SHARE) return [];
  return [
    problem('attempts_refused', 'low', {
      text: `${bad} of the latest ${made} attempts at partners' and suppliers' endpoints got an error of theirs or no answer.`,
      remedy: 'The page of endpoints says whose they are.',
    }),
  ];
}

function deadJobProblems({ deadJobs, deadJobsAreMore }: MarketplaceStatus): Problem[] {
  if (deadJobs === 0) return [];
  return [
    problem('dead_jobs', 'high', {
      text: `${deadJobsAreMore ? 'More than ' : ''}${counted(deadJobs, 'dead letter waits', 'dead letters wait')} for a decision.`,
      remedy: 'See why, mend the cause, and have them run again.',
    }),
  ];
}

function problem(
  kind: ProblemKind,
  severity: Problem['severity'],
  { text, remedy }: Pick<Problem, 'text' | 'remedy'>,
): Problem {
  return { kind, severity, text, remedy, queue: null, partner: null };
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.floor(minutes / 60)} hours`;
}
