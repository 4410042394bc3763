// Lists every response that a supplier's program can get for a posted lead, and what to do about it (contract 1.9, 3.4, 3.6).
import { CONFLICT } from '../leads/ingest-response.rules.ts';
import { CONTACT_MISSING, ERROR_SEPARATOR, NAME_MISSING } from '../leads/field-errors.rules.ts';
import { challenge } from '../platform/http/credential-header.rules.ts';
import { type ProblemCode, problemCatalogue } from '../platform/http/problem-catalogue.ts';

export type ResponseGuide = {
  readonly status: number;
  /** Null if the response is not a problem document. */
  readonly code: ProblemCode | null;
  readonly when: string;
  readonly whatToDo: string;
  /** Whether the same request may be sent again. */
  readonly repeat: 'never' | 'when corrected' | 'after a while' | 'not needed';
  /** Headers that matter here. */
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>;
  /** An example. */
  readonly body: Readonly<Record<string, unknown>>;
};

const REQUEST_ID = '0b7f2d1e-6c1e-7b0e-9a53-0d8a5c1f7a10';
const LEAD_ID = 'lead_01m7xnp2vpe9rtj82p033hep4t';
const ACCEPTED = { accepted: true, lead_id: LEAD_ID, score: 91, processingTime: 4.118 };

type Problem = Pick<ResponseGuide, 'repeat'> & {
  readonly detail?: string;
  readonly whatToDo?: string;
  readonly headers?: ResponseGuide['headers'];
};

const RETRY_AFTER = [{ name: 'Retry-After', value: 'seconds' }];

/** Problems in the order in which a request is checked (contract 1.8). */
const PROBLEMS = {
  unauthorized: { repeat: 'when corrected', headers: [{ name: 'WWW-Authenticate', value: challenge('x-api-key') }] },
  supplier_not_approved: { repeat: 'when corrected' },
  rate_limited: { repeat: 'after a while', headers: RETRY_AFTER },
  body_too_large: { repeat: 'never' },
  unsupported_media_type: { repeat: 'when corrected' },
  invalid_json: { repeat: 'when corrected' },
  idempotency_key_invalid: { repeat: 'when corrected' },
  external_id_conflict: { repeat: 'never', detail: CONFLICT.detail },
  idempotency_in_progress: { repeat: 'after a while', headers: RETRY_AFTER },
  idempotency_key_reused: { repeat: 'when corrected' },
  unavailable: { repeat: 'after a while', headers: RETRY_AFTER },
  internal_error: { repeat: 'after a while' },
} as const satisfies Partial<Record<ProblemCode, Problem>>;

export const responseGuides: readonly ResponseGuide[] = [
  {
    status: 202,
    code: null,
    when: 'The lead is on disk and will be processed. It says nothing about a sale: that is decided afterwards.',
    whatToDo: 'Keep lead_id with your own id. Do not post the lead again.',
    repeat: 'not needed',
    headers: [],
    body: ACCEPTED,
  },
  {
    status: 202,
    code: null,
    when: 'The same external_id with the same content was accepted before. The answer is that of the first time.',
    whatToDo: 'Nothing: the lead is there once, and counts once.',
    repeat: 'not needed',
    headers: [{ name: 'Idempotent-Replayed', value: 'true' }],
    body: ACCEPTED,
  },
  {
    status: 422,
    code: null,
    when: 'The lead failed its checks. reason names every fault at once, joined by "; ".',
    whatToDo: 'Put right what reason names, and post again; the external_id is still free. Each refusal is counted.',
    repeat: 'when corrected',
    headers: [],
    body: { accepted: false, reason: [CONTACT_MISSING, NAME_MISSING].join(ERROR_SEPARATOR), processingTime: 2.07 },
  },
  ...Object.entries(PROBLEMS).map(([code, problem]) => problemGuide(code as keyof typeof PROBLEMS, problem)),
];

function problemGuide(code: keyof typeof PROBLEMS, problem: Problem): ResponseGuide {
  const { status, title, meaning, remedy } = problemCatalogue[code];
  const detail = problem.detail ?? meaning;
  return {
    status,
    code,
    when: meaning,
    whatToDo: problem.whatToDo ?? remedy,
    repeat: problem.repeat,
    headers: problem.headers ?? [],
    body: {
      type: `/docs/errors/${code}`,
      title,
      status,
      detail,
      code,
      requestId: REQUEST_ID,
      accepted: false,
      reason: detail,
      processingTime: 0.35,
    },
  };
}
