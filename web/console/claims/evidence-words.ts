// What our own data say of a claim, in sentences. Pure; whoever decides reads them beside what the partner says.
import type { ClaimReview, DuplicateDelivery, FilterCheck } from '../../../src/console/claims.schema.ts';

/** Whether what we know supports the claim, contradicts it, or neither. */
export type Verdict = 'supports' | 'contradicts' | 'silent';

export type Finding = { readonly verdict: Verdict; readonly sentence: string };

const DAY_MS = 86_400_000;

const FILTERS: Readonly<Record<string, string>> = {
  states: 'State',
  statesNot: 'State',
  debtAmount: 'Debt amount',
  minScore: 'Score',
  suppliers: 'Supplier',
  suppliersNot: 'Supplier',
  sources: 'Source',
  sourcesNot: 'Source',
  requireConsent: 'Consent',
  requireEmail: 'E-mail address',
  requirePhone: 'Phone number',
};

export function filterName(filter: string): string {
  return FILTERS[filter] ?? filter;
}

/** What a filter asks for: `NY or NJ`, `not CA`, `from 1,000 to 5,000`. */
export function wantedWords({ filter, wanted }: Pick<FilterCheck, 'filter' | 'wanted'>): string {
  if (Array.isArray(wanted)) {
    const listed = wanted.map(String);
    return filter.endsWith('Not') ? `not ${joined(listed, 'and not')}` : joined(listed, 'or');
  }
  if (wanted === true) return filter === 'requireConsent' ? 'given' : 'there';
  if (typeof wanted === 'object' && wanted !== null) return rangeWords(wanted);
  return filter === 'minScore' ? `${wanted} or more` : String(wanted);
}

export function foundWords({ filter, found }: Pick<FilterCheck, 'filter' | 'found'>): string {
  if (found === null) return 'not given';
  if (typeof found === 'boolean') {
    const [yes, no] = filter === 'requireConsent' ? ['given', 'not given'] : ['there', 'not there'];
    return found ? yes : no;
  }
  return typeof found === 'number' ? numbers.format(found) : found;
}

const numbers = new Intl.NumberFormat('en-US');

function rangeWords(range: object): string {
  const { min, max } = range as { readonly min?: unknown; readonly max?: unknown };
  const low = typeof min === 'number' ? numbers.format(min) : null;
  const high = typeof max === 'number' ? numbers.format(max) : null;
  if (low !== null && high !== null) return `from ${low} to ${high}`;
  if (low !== null) return `${low} or more`;
  return high === null ? 'anything' : `${high} or less`;
}

function joined(words: readonly string[], by: string): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${by} ${last}`;
}

/** `8 days before this one`, or `on the same day`. */
export function distanceWords(other: string, own: string): string {
  const days = Math.round((new Date(own).getTime() - new Date(other).getTime()) / DAY_MS);
  if (days === 0) return 'within a day of this one';
  const many = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`;
  return days > 0 ? `${many} before this one` : `${many} after this one`;
}

/** `same phone number and e-mail address`; null where it cannot be compared any more. */
export function sameWords({ samePhone, sameEmail }: Pick<DuplicateDelivery, 'samePhone' | 'sameEmail'>): string | null {
  if (samePhone === null || sameEmail === null) return null;
  if (samePhone && sameEmail) return 'same phone number and e-mail address';
  if (samePhone) return 'same phone number';
  return sameEmail ? 'same e-mail address' : 'other phone number and e-mail address now';
}

/** The sentence that stands above the evidence. */
export function findingOf({
  evidence,
  reason,
  lead,
  delivery,
}: Pick<ClaimReview, 'evidence' | 'reason' | 'lead' | 'delivery'>): Finding {
  if (evidence?.about === 'duplicate') return duplicateFinding(evidence);
  if (evidence?.about === 'filters') return filterFinding(evidence);
  if (lead.fields === null) {
    return { verdict: 'silent', sentence: 'The person was erased, so nothing can be looked up any more.' };
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
  const window = `within the ${dedupDays} days that count as a duplicate`;
  if (deliveries.length === 0) {
    return { verdict: 'contradicts', sentence: `We find no other delivery of this person to the partner ${window}.` };
  }
  const many = deliveries.length === 1 ? 'one other delivery' : `${deliveries.length} other deliveries`;
  return { verdict: 'supports', sentence: `We find ${many} of this person to the partner ${window}.` };
}

type Filters = { readonly offer: string; readonly known: boolean; readonly checks: readonly FilterCheck[] };

function filterFinding({ offer, known, checks }: Filters): Finding {
  if (!known)
    return {
      verdict: 'silent',
      sentence: `What the offer ${offer} asked for when the lead was sold is not known any more.`,
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
      ? { verdict: 'supports', sentence: 'When the lead came in, we saw that no line can have this number.' }
      : {
          verdict: 'silent',
          sentence: 'The number is well-formed and a line can have it. Whether it is in service, our data do not say.',
        };
  }
  if (reason === 'bounced_email') {
    return notes.includes('email_disposable')
      ? { verdict: 'supports', sentence: 'When the lead came in, we saw that this is a throw-away address.' }
      : { verdict: 'silent', sentence: 'The address is well-formed. Whether mail arrives there, our data do not say.' };
  }
  if (reason === 'no_show') {
    return appointmentAt === null
      ? { verdict: 'silent', sentence: 'Our data do not say whether the person came.' }
      : { verdict: 'silent', sentence: 'We booked the slot below. Whether the person came, our data do not say.' };
  }
  return { verdict: 'silent', sentence: 'Our data do not say anything for or against it. The lead’s origin is below.' };
}
