// What our own data say about a reason for a claim, and which of several returns they suggest. Pure.
import type { Filing } from '../../../../src/portal/buyer/filing.schema.ts';
import { count } from '../../../ui/formats.ts';
import { filterName, foundWords, wantedWords } from '../../../ui/filter-words.ts';

export type ReasonChoice = Filing['reasons'][number]['code'] | '';
type OwnData = NonNullable<Filing['reasons'][number]['ownData']>;

export function ownDataOn({ reasons }: Pick<Filing, 'reasons'>, reason: ReasonChoice): OwnData | null {
  return reasons.find(({ code }) => code === reason)?.ownData ?? null;
}

/** Whether our own data speak against the reason. It may be filed all the same. */
export function isContradicted(data: OwnData | null): boolean {
  if (data === null) return false;
  return data.about === 'duplicate' ? data.others === 0 : data.checks.every(({ holds }) => holds);
}

export const NO_FILTER = 'Your offer had no such filter when the lead was sold.';

export function duplicateWords({ others, dedupDays }: Extract<OwnData, { readonly about: 'duplicate' }>): string {
  const found = others === 0 ? 'no other delivery' : count(others, 'other delivery', 'other deliveries');
  return `You have ${found} of this person within the duplicate window of ${dedupDays} days.`;
}

export type Suggestion = {
  /** Whether a return for this reason can be filed at all. */
  readonly canFile: boolean;
  /** Whether it is ticked unless the partner says otherwise. */
  readonly isSuggested: boolean;
  /** What speaks against it: `warn` if it can be filed anyway. */
  readonly tone: 'good' | 'warn' | 'idle' | 'bad';
  readonly words: string;
};

/** One per delivery, in their order; those that the monthly caps leave no room for are not suggested. */
export function suggestReturns(filings: readonly Filing[], reason: ReasonChoice): ReadonlyMap<string, Suggestion> {
  const left = new Map<string, number>();
  return new Map(
    filings.map((filing) => {
      const { deliveryId, eventType, cap } = filing;
      const one = suggestionOf(filing, reason);
      const key = `${eventType} ${cap.month}`;
      const room = left.get(key) ?? cap.remaining;
      if (!one.isSuggested) return [deliveryId, one];
      left.set(key, room - 1);
      return [
        deliveryId,
        room > 0 ? one : { ...one, isSuggested: false, tone: 'warn', words: 'Above the monthly cap.' },
      ];
    }),
  );
}

function suggestionOf(filing: Filing, reason: ReasonChoice): Suggestion {
  const { refusal } = filing.return;
  if (refusal !== null) return { canFile: false, isSuggested: false, tone: 'bad', words: refusal.meaning };
  if (reason === '') return { canFile: true, isSuggested: true, tone: 'idle', words: 'Can be returned.' };
  if (filing.reasons.every(({ code }) => code !== reason)) {
    return { canFile: false, isSuggested: false, tone: 'bad', words: `Not a reason for a ${filing.eventType}.` };
  }
  const data = ownDataOn(filing, reason);
  if (data === null) {
    return { canFile: true, isSuggested: true, tone: 'idle', words: 'Our data say nothing about this reason.' };
  }
  const isAgainst = isContradicted(data);
  return {
    ...{ canFile: true, isSuggested: !isAgainst, tone: isAgainst ? 'warn' : 'good' },
    words: `${isAgainst ? 'Our data do not support it' : 'Our data support it'}: ${dataWords(data)}`,
  };
}

/** Only the failed filters of those that fail, because they are what speaks for the reason. */
function dataWords(data: OwnData): string {
  if (data.about === 'duplicate') return duplicateWords(data);
  const failed = data.checks.filter(({ holds }) => !holds);
  const shown = failed.length > 0 ? failed : data.checks;
  if (shown.length === 0) return NO_FILTER;
  return shown.map((check) => `${filterName(check)} ${foundWords(check)} (wanted: ${wantedWords(check)})`).join('; ');
}

/** Of the ticked deliveries, how many more than a monthly cap allows; empty if all fit. */
export function aboveCaps(
  filings: readonly Filing[],
  isTicked: (deliveryId: string) => boolean,
): ReadonlyArray<{ readonly cap: Filing['cap']; readonly eventType: string; readonly above: number }> {
  const ticked = filings.filter(({ deliveryId }) => isTicked(deliveryId));
  return [...Map.groupBy(ticked, ({ eventType, cap }) => `${eventType} ${cap.month}`).values()].flatMap((of) => {
    const [first] = of;
    const above = first === undefined ? 0 : of.length - first.cap.remaining;
    return first === undefined || above <= 0 ? [] : [{ cap: first.cap, eventType: first.eventType, above }];
  });
}

/** `17 of 20 returns left for leads of November 2026` */
export function capWords({ month, limit, remaining }: Filing['cap'], eventType: string): string {
  return `${remaining} of ${count(limit, 'return')} left for ${unitOf(eventType)} of ${monthWords(month)}`;
}

export function unitOf(eventType: string): string {
  return eventType === 'Lead Sale' ? 'leads' : 'bookings';
}

/** `2026-11` → November 2026 */
export function monthWords(month: string): string {
  return new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${month}-15T12:00:00Z`),
  );
}
