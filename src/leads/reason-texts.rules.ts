// Texts for suppliers: the public status of a lead, every reason for a rejection, and what to do about it (contract 3.3, 4.1, 5.8). They
// never disclose the buyer, the price or why a buyer did not take the lead.
import type { PublicStatus } from './stored-lead.ts';
import { type StandardName, standardNames } from '../suppliers/field-mapping.rules.ts';
import { CONTACT_MISSING, splitReason, invalidError, NAME_MISSING } from './field-errors.rules.ts';
import { VERTICAL_NAME } from './supplier-verticals.rules.ts';
import { fieldGuide, possibleErrors } from './field-guide.rules.ts';

const STATUS_TEXTS: Readonly<Record<PublicStatus, string>> = {
  Pending:
    'Accepted, not decided yet. Most leads are decided within seconds; some wait a few minutes for a buyer to open.',
  'Lead Sale': 'Sold.',
  'Calendar Assigned': 'Sold as a booked call.',
  Duplicate: 'Not sold: every matching buyer already has this person.',
  'No Buyer': 'Not sold: no matching buyer was open.',
  Invalid: 'Rejected: it failed validation.',
  Suppressed: 'Not sold: this person is on a list of people who must not be sold.',
};

const TEST_STATUS_TEXTS: Readonly<Record<PublicStatus, string>> = {
  Pending: STATUS_TEXTS.Pending,
  'Lead Sale': 'It would have been sold as a Lead Sale. As a test it was not delivered.',
  'Calendar Assigned': 'It would have been sold as a booked call. As a test it was not delivered.',
  Duplicate: 'It would not have been sold: every matching buyer already has this person.',
  'No Buyer': 'It would not have been sold: no matching buyer was open.',
  Invalid: 'It would have been rejected: it failed validation.',
  Suppressed: 'It would not have been sold: this person is on a list of people who must not be sold.',
};

export function describeStatus(status: PublicStatus, isTest: boolean): string {
  return (isTest ? TEST_STATUS_TEXTS : STATUS_TEXTS)[status];
}

export type ReasonText = {
  /** As in the response, the callback and the statistics. */
  readonly reason: string;
  readonly meaning: string;
  readonly remedy: string;
};

/** Reasons that occur after acceptance. */
type LaterReason = 'duplicate' | 'no_buyer' | 'suppressed' | 'erased';

const LATER_REASONS: Readonly<Record<LaterReason, Omit<ReasonText, 'reason'>>> = {
  duplicate: {
    meaning: 'Every matching buyer already has this phone number or email address.',
    remedy:
      'Check for duplicates before you post: a form sent twice, a list posted again, a lead that is also sold elsewhere. A person can be sold again after the duplicate window of the marketplace.',
  },
  no_buyer: {
    meaning: 'The lead was valid, but no matching buyer was open.',
    remedy:
      'Send the fields that buyers filter on: phone, email, state, debt_amount, consent_timestamp and source_form_url. Post at once, during business hours. If complete leads find no buyer for days, ask the operator which states and amounts are in demand.',
  },
  suppressed: {
    meaning:
      'The phone number, the email address or the zip code is on a list of the operator: such leads must not be sold.',
    remedy: 'None. Do not post this person again.',
  },
  erased: {
    meaning: 'The person was erased on request before the lead was decided.',
    remedy: 'None. Do not post this person again.',
  },
};

const INGEST_REASONS: ReadonlyMap<string, Omit<ReasonText, 'reason'>> = new Map([
  [
    CONTACT_MISSING,
    {
      meaning: 'Both email and phone were empty.',
      remedy:
        'Send email, phone, or both. If your form has these fields, compare their names with your posting specification: a field under another name is not read.',
    },
  ],
  [
    NAME_MISSING,
    {
      meaning: 'full_name, first_name and last_name were all empty.',
      remedy:
        'Send full_name, or first_name and last_name. If your form has these fields, compare their names with your posting specification.',
    },
  ],
  ...standardNames.flatMap(fieldReasons),
]);

function fieldReasons(name: StandardName): Array<[string, Omit<ReasonText, 'reason'>]> {
  const { format, lengthMax, type } = fieldGuide[name];
  const invalid = {
    meaning: type === 'true or false' ? `${name} was neither true nor false.` : `${name} had an invalid value.`,
    remedy: `${format} Omit the field if you have no value.`,
  };
  const tooLong = {
    meaning: `${name} had more than ${lengthMax} characters.`,
    remedy: `Send at most ${lengthMax} characters. Check that no other form field ends up in this one.`,
  };
  return possibleErrors(name).map((error) => [error, error === invalidError(name) ? invalid : tooLong]);
}

const OWN_REASON = /^(?<name>[a-z][a-z0-9_]*) (?<fault>required|invalid|too long)$/;

/** All reasons, in the order in which errors are reported. */
export const knownReasons: readonly string[] = [...INGEST_REASONS.keys(), ...Object.keys(LATER_REASONS)];

/** Describes one reason. An unknown reason, from an older version, is returned as its own meaning. */
export function describeReason(reason: string): ReasonText {
  const words = INGEST_REASONS.get(reason) ?? (isLater(reason) ? LATER_REASONS[reason] : undefined);
  return {
    reason,
    ...(words ??
      ownReason(reason) ?? {
        meaning: reason,
        remedy: 'Ask the operator, and mention the id of the lead.',
      }),
  };
}

/** The errors of own fields, whose names only the marketplace's verticals know. */
function ownReason(reason: string): Omit<ReasonText, 'reason'> | null {
  const { name = '', fault = '' } = OWN_REASON.exec(reason)?.groups ?? {};
  const seeSpecification = 'Your posting specification says how to write it.';
  if (name === VERTICAL_NAME) {
    return {
      meaning: 'vertical did not name a vertical that you post into, or that vertical is closed.',
      remedy: `Omit it to post into your usual vertical, or name another of yours. ${seeSpecification}`,
    };
  }
  if (fault === 'required') return { meaning: `${name} was empty.`, remedy: `Send ${name}. ${seeSpecification}` };
  if (fault === 'invalid') return { meaning: `${name} had an invalid value.`, remedy: seeSpecification };
  return fault === '' ? null : { meaning: `${name} had too many characters.`, remedy: seeSpecification };
}

/** The reason of a lead without a buyer that has all fields that buyers filter on: more of them would not have sold it. */
export function describeCompleteUnsold(): ReasonText {
  return {
    reason: 'no_buyer',
    meaning: 'The lead was valid and has all fields that buyers filter on, but no buyer for it was open.',
    remedy:
      'Nothing is wrong with the lead itself. If many like it find no buyer, ask the operator which states and amounts are in demand, and at which hours.',
  };
}

/** Describes the stored reason of a lead, which may be several validation errors. */
export function describeReasons(stored: string | null): ReasonText[] {
  return stored === null ? [] : splitReason(stored).map(describeReason);
}

function isLater(reason: string): reason is LaterReason {
  return Object.hasOwn(LATER_REASONS, reason);
}
