// Reads the body of a return or dispute and reports all errors at once (contract 6.8, 6.9). Checks that depend on the delivery, such as
// whether proof is required, are in filing.rules.ts.
import { isBlank } from '../base/text.ts';
import type { Members } from '../base/json.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { isLonger } from '../leads/lead-text.rules.ts';
import type { FieldFault } from '../platform/http/request-fault.ts';
import { readReason, type ReasonCode } from './reason.rules.ts';

export type ClaimBody = {
  /** As sent; not checked to be an id. */
  readonly deliveryId: string;
  readonly reason: ReasonCode;
  /** The proof of a return, the detail of a dispute; null when blank. */
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
};
export type BodyReading =
  | { readonly ok: true; readonly body: ClaimBody }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

// Enough for the log of a call or an email, and far below the limit on bodies.
export const STATEMENT_LENGTH_MAX = 10_000;
export const URL_LENGTH_MAX = 2048;
const REASON_LENGTH_MAX = 100;
const ID_LENGTH_MAX = 100;
// Otherwise a body full of unknown members would cause a response several times its size.
const MOST_UNKNOWN = 50;

// URL parsers silently repair white space, control characters and backslashes, so these are rejected here.
const HTTPS_URL = /^https:\/\/[^\s\\\p{Cc}/?#][^\s\\\p{Cc}]*$/iu;

/** The member in which a claim of each kind explains itself. */
const statementMember = { return: 'proof', dispute: 'detail' } as const satisfies Record<ClaimKind, string>;

const MEMBERS: Readonly<Record<ClaimKind, readonly string[]>> = {
  return: ['deliveryId', 'reason', 'proof'],
  dispute: ['deliveryId', 'reason', 'detail', 'evidenceUrl'],
};

export function readClaimBody(kind: ClaimKind, members: Members): BodyReading {
  const faults: FieldFault[] = [];
  const reading: Reading = { members, faults };
  const deliveryId = readText(reading, 'deliveryId', { lengthMax: ID_LENGTH_MAX, required: true });
  const reason = readCode(reading);
  const statement = readText(reading, statementMember[kind], { lengthMax: STATEMENT_LENGTH_MAX });
  const evidenceUrl = kind === 'dispute' ? readUrl(reading, 'evidenceUrl') : null;
  const unknown = Object.keys(members).filter((name) => !MEMBERS[kind].includes(name));
  for (const field of unknown.slice(0, MOST_UNKNOWN))
    faults.push({ field, code: 'unknown_field', message: 'is not known here' });
  if (faults.length > 0 || deliveryId === null || reason === null) return { ok: false, faults };
  return { ok: true, body: { deliveryId, reason, statement, evidenceUrl } };
}

type Reading = { readonly members: Members; readonly faults: FieldFault[] };

/** The text as sent; null if it is absent, null, blank or invalid. */
function readText(
  { members, faults }: Reading,
  field: string,
  { lengthMax, required = false }: { readonly lengthMax: number; readonly required?: boolean },
): string | null {
  const value = Object.hasOwn(members, field) ? (members[field] ?? null) : null;
  if (value === null || (typeof value === 'string' && isBlank(value))) {
    if (required) faults.push({ field, code: 'required', message: 'is required' });
    return null;
  }
  if (typeof value !== 'string') faults.push({ field, code: 'wrong_type', message: 'must be text' });
  else if (isLonger(value, lengthMax))
    faults.push({ field, code: 'too_long', message: `must have at most ${lengthMax} characters` });
  else return value;
  return null;
}

function readCode(reading: Reading): ReasonCode | null {
  const text = readText(reading, 'reason', { lengthMax: REASON_LENGTH_MAX, required: true });
  if (text === null) return null;
  const known = readReason(text);
  if (known.ok) return known.code;
  const messages = {
    reason_unknown: 'must be a reason of the return policy',
    reason_not_objective: 'must be wrong with the lead itself, not with how the sale went',
  } as const satisfies Record<typeof known.code, string>;
  reading.faults.push({ field: 'reason', code: known.code, message: messages[known.code] });
  return null;
}

function readUrl(reading: Reading, field: string): string | null {
  const text = readText(reading, field, { lengthMax: URL_LENGTH_MAX });
  if (text === null || (HTTPS_URL.test(text) && URL.canParse(text))) return text;
  reading.faults.push({ field, code: 'invalid_format', message: 'must be an https URL' });
  return null;
}
