// Sentences about our own data on a claim, shown beside the partner's statement. Pure.
import type { FilterCheck } from '../../../src/claims/filter-check.schema.ts';
import type { ClaimReview, DuplicateDelivery } from '../../../src/console/claims.schema.ts';

/** Whether our data support the claim, contradict it, or neither. */
export type Verdict = 'supports' | 'contradicts' | 'silent';

export type Finding = { readonly verdict: Verdict; readonly sentence: string };

const DAY_MS = 86_400_000;

/** `8 days before this one`, or `on the same day`. */
export function distanceWords(other: string, own: string): string {
  const days = Math.round((new Date(own).getTime() - new Date(other).getTime()) / DAY_MS);
  if (days === 0) return 'within a day of this one';
  const many = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  return days > 0 ? `${many} before this one` : `${many} after this one`;
}

/** `same phone number and email address`; null if they can no longer be compared. */
export function sameWords({ samePhone, sameEmail }: Pick<DuplicateDelivery, 'samePhone' | 'sameEmail'>): string | null {
  if (samePhone === null || sameEmail === null) return null;
  if (samePhone && sameEmail) return 'same phone number and email address';
  if (samePhone) return 'same phone number';
  return sameEmail ? 'same email address' : 'different phone number and email address now';
}

/** The sentence above the evidence. */
export function findingOf({
  evidence,
  reason,
  lead,
  delivery,
}: Pick<ClaimReview, 'evidence' | 'reason' | 'lead' | 'delivery'>): Finding {
  if (evidence?.about === 'duplicate') return duplicateFinding(evidence);
  if (evidence?.about === 'filters') return filterFinding(evidence);
  if (lead.fields === null) {
    return { verdict: 'silent', sentence: 'The personal data is erased, so nothing can be checked.' };
  }
  return withoutEvidence(reason, { notes: lead.scoreNotes, appointmentAt: delivery.appointmentAt });
}

function duplicateFinding({
  deliveries,
  dedupDays,
}: {
  readonly deliveries: readonly unknown[];
  readonly dedupDays: number;
}): Finding {
  const window = `within the duplicate window of ${dedupDays} days`;
  if (deliveries.length === 0) {
    return { verdict: 'contradicts', sentence: `There is no other delivery of this person to the partner ${window}.` };
  }
  const many = deliveries.length === 1 ? 'one other delivery' : `${deliveries.length} other deliveries`;
  return {
    verdict: 'supports',
    sentence: `There ${deliveries.length === 1 ? 'is' : 'are'} ${many} of this person to the partner ${window}.`,
  };
}

type Filters = { readonly offer: string; readonly known: boolean; readonly checks: readonly FilterCheck[] };

function filterFinding({ offer, known, checks }: Filters): Finding {
  if (!known)
    return {
      verdict: 'silent',
      sentence: `The filters of the offer ${offer} at the time of the sale are no longer known.`,
    };
  if (checks.length === 0)
    return { verdict: 'contradicts', sentence: `The offer ${offer} had no such filter when the lead was sold.` };
  const failing = checks.filter(({ holds }) => !holds).length;
  if (failing === 0)
    return {
      verdict: 'contradicts',
      sentence: `The lead meets every filter that the offer ${offer} had when it was sold.`,
    };
  const of = checks.length === 1 ? 'the filter' : `${failing} of ${checks.length} filters`;
  return { verdict: 'supports', sentence: `The lead fails ${of} that the offer ${offer} had when it was sold.` };
}

function withoutEvidence(
  reason: string,
  { notes, appointmentAt }: { readonly notes: readonly string[]; readonly appointmentAt: string | null },
): Finding {
  if (reason === 'invalid_phone') {
    return notes.includes('phone_not_valid_line')
      ? { verdict: 'supports', sentence: 'Our check at submission found that the number cannot be assigned.' }
      : {
          verdict: 'silent',
          sentence: 'The number is valid. Our data do not show whether it is in service.',
        };
  }
  if (reason === 'bounced_email') {
    return notes.includes('email_disposable')
      ? { verdict: 'supports', sentence: 'Our check at submission found a disposable email address.' }
      : { verdict: 'silent', sentence: 'The address is well-formed. Our data do not show whether it receives mail.' };
  }
  if (reason === 'no_show') {
    return appointmentAt === null
      ? { verdict: 'silent', sentence: 'Our data do not show whether the person came.' }
      : {
          verdict: 'silent',
          sentence: 'We booked the appointment below. Our data do not show whether the person came.',
        };
  }
  return { verdict: 'silent', sentence: 'Our data neither support nor contradict it. The lead’s origin is below.' };
}
