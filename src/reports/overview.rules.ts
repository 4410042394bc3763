// Finds problems of the service, with remedies, and puts all problems in the order of the money that they cost.

import { counted } from './counted.ts';

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
  | 'endpoint_failing'
  | 'endpoint_disabled'
  | 'attempts_refused'
  | 'dead_jobs'
  | 'partner_unreachable'
  | 'account_left_out'
  | 'out_of_funds'
  | 'funds_paused'
  | 'partner_paused_itself'
  | 'low_funds'
  | 'leads_unsold'
  | 'caps_full'
  | 'no_leads'
  | 'supplier_silent'
  | 'claims_due'
  | 'deliveries_failed'
  | 'prices_unread';

export type Problem = {
  readonly kind: ProblemKind;
  /** What it is about, such as the key of a partner; '' for the marketplace. Kind and subject identify a problem while it lasts. */
  readonly subject: string;
  /** `high`: leads or money are waiting for the operator. */
  readonly severity: 'high' | 'low';
  readonly text: string;
  readonly remedy: string;
  /** The key of the partner concerned; null for problems of other kinds. */
  readonly partner: string | null;
  /** What it costs a day as sales go, or what waits, in cents; null where that is not known. */
  readonly cents: number | null;
  /** When it began, where the fact itself says so. */
  readonly since: Date | null;
};

export type MarketplaceStatus = {
  readonly queues: readonly QueueState[];
  readonly endpoints: {
    readonly failing: number;
    readonly disabled: number;
    /** The first of both kinds, the longest first. */
    readonly listed: readonly IllEndpoint[];
  };
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

export type IllEndpoint = {
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  readonly name: string;
  readonly channel: string;
  readonly state: 'failing' | 'disabled';
  readonly since: Date;
  readonly lastError: string | null;
};

/** What a partner usually spends a day, in cents. */
export type SpentADay = (partner: string) => number;

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

export function serviceProblems(status: MarketplaceStatus, spentADay: SpentADay): Problem[] {
  return [
    ...processProblems(status),
    ...faultProblems(status),
    ...queueProblems(status),
    ...deadJobProblems(status),
    ...endpointProblems(status, spentADay),
    ...attemptProblems(status),
  ];
}

/**
 * By money, the most first. What is urgent and costs an unknown sum comes before everything else, because it stops more than one partner;
 * what is neither comes last.
 */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const worth = ({ cents, severity }: Problem): number => cents ?? (severity === 'high' ? Infinity : -1);
  // The sort is stable. Infinity less itself is no number.
  return problems.toSorted((one, other) => (worth(one) === worth(other) ? 0 : worth(other) - worth(one)));
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
            subject: queue,
          },
        ],
  );
}

/** This many endpoints get a problem each; one covers the rest. */
const ENDPOINTS_NAMED = 20;

function endpointProblems({ endpoints }: MarketplaceStatus, spentADay: SpentADay): Problem[] {
  const { failing, disabled, listed } = endpoints;
  const named = listed.slice(0, ENDPOINTS_NAMED);
  const rest = failing + disabled - named.length;
  return [
    ...named.map((endpoint) => endpointProblem(endpoint, spentADay)),
    ...(rest <= 0
      ? []
      : [
          {
            ...problem('endpoint_failing', 'high', {
              text: `${counted(rest, 'more endpoint is', 'more endpoints are')} failing or disabled.`,
              remedy: 'The page of endpoints lists them.',
            }),
            subject: MORE,
          },
        ]),
  ];
}

/** The subject of a problem that stands for the rest of a kind. */
export const MORE = '…';

const CHANNELS: Readonly<Record<string, string>> = {
  email: 'email channel',
  sms: 'text message channel',
  sheets: 'spreadsheet',
  sheets_script: 'sheet script',
};

function endpointProblem(endpoint: IllEndpoint, spentADay: SpentADay): Problem {
  const { ownerKind, ownerKey, name, channel, state, since, lastError } = endpoint;
  const isPartner = ownerKind === 'buyer';
  const whose = `${CHANNELS[channel] ?? channel} of ${name === '' ? ownerKey : name}`;
  const common = {
    ...{ subject: `${ownerKind}:${ownerKey}:${channel}`, since, partner: isPartner ? ownerKey : null },
    cents: isPartner ? spentADay(ownerKey) : null,
  };
  if (state === 'disabled') {
    return {
      ...problem('endpoint_disabled', 'high', {
        text: `The ${whose} is disabled: the offers of the partner are skipped.`,
        remedy: 'Enable it again when the partner says that it is back.',
      }),
      ...common,
    };
  }
  const reason = lastError === null ? '' : ` (${lastError})`;
  return {
    ...problem('endpoint_failing', isPartner ? 'high' : 'low', {
      text: `The ${isPartner ? whose : `callback of ${name === '' ? ownerKey : name}`} is failing${reason}. ${isPartner ? 'Its deliveries are' : 'What it waits for is'} queued and retried automatically.`,
      remedy: 'See the last responses, and notify the owner.',
    }),
    ...common,
  };
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
  return { kind, severity, text, remedy, subject: '', partner: null, cents: null, since: null };
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} minutes`;
  return `${Math.floor(minutes / 60)} hours`;
}
