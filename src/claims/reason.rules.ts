// The reasons for a return or dispute by kind of delivery, and the outcomes of a sale that are never a reason (contract 6.7).
import type { EventType } from '../deliveries/delivery.ts';

const LEAD_REASONS = [
  { code: 'invalid_phone', meaning: 'Disconnected or invalid phone', proofRequired: false },
  { code: 'bounced_email', meaning: 'Bounced or invalid email', proofRequired: false },
  { code: 'out_of_geo', meaning: 'Outside agreed geography', proofRequired: false },
  { code: 'out_of_filter', meaning: 'Outside agreed filter criteria', proofRequired: false },
  { code: 'duplicate', meaning: 'Duplicate within the dedup window', proofRequired: false },
  { code: 'bot', meaning: 'Bot, non-human or inflated submission', proofRequired: false },
] as const;

const BOOKING_REASONS = [
  { code: 'no_show', meaning: 'Verified no-show; proof required', proofRequired: true },
  { code: 'filter_mismatch', meaning: 'Explicit filter mismatch; proof required', proofRequired: true },
] as const;

export type Reason = (typeof LEAD_REASONS)[number] | (typeof BOOKING_REASONS)[number];
export type ReasonCode = Reason['code'];

export const reasonsOf: Readonly<Record<EventType, readonly Reason[]>> = {
  'Lead Sale': LEAD_REASONS,
  'Calendar Assigned': BOOKING_REASONS,
};
export const reasonCodes: readonly ReasonCode[] = [...LEAD_REASONS, ...BOOKING_REASONS].map(({ code }) => code);

/** Outcomes of the sale: the lead itself was fine. */
export const notReturnable = ['no-response', 'not-interested', 'no-budget', 'gatekeeper', 'late-follow-up'] as const;

const SUBJECTIVE: ReadonlySet<string> = new Set(notReturnable.map(lettersOf));

export type ReasonReading =
  | { readonly ok: true; readonly code: ReasonCode }
  | { readonly ok: false; readonly code: 'reason_unknown' | 'reason_not_objective' };

/** Reason codes must match exactly; non-returnable outcomes are recognised in any spelling. */
export function readReason(text: string): ReasonReading {
  const code = reasonCodes.find((known) => known === text);
  if (code !== undefined) return { ok: true, code };
  return { ok: false, code: SUBJECTIVE.has(lettersOf(text)) ? 'reason_not_objective' : 'reason_unknown' };
}

/** Whether the reason is one for this kind of delivery. */
export function fitsKind(code: ReasonCode, eventType: EventType): boolean {
  return reasonsOf[eventType].some((reason) => reason.code === code);
}

export function needsProof(code: ReasonCode): boolean {
  return BOOKING_REASONS.some((reason) => reason.code === code && reason.proofRequired);
}

/** Lowercase letters and digits only, so that `No_Response`, `no response` and `NoResponse` are equal. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
