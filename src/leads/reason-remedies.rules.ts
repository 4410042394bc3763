// Every reason for which a supplier's lead came to nothing, in words, and what the supplier can do about it (contract 3.3, 4.1, 5.8).
import { type StandardName, standardNames } from '../suppliers/field-mapping.rules.ts';
import { CONTACT_MISSING, faultsOf, invalidFault, NAME_MISSING } from './faults.rules.ts';
import { fieldGuide, possibleFaults } from './field-guide.rules.ts';

export type ReasonInWords = {
  /** As the answer, the callback and the statistics name it. */
  readonly reason: string;
  readonly meaning: string;
  readonly remedy: string;
};

/** Those that follow after a lead was accepted. */
type LaterReason = 'duplicate' | 'no_buyer' | 'erased';

const LATER: Readonly<Record<LaterReason, Omit<ReasonInWords, 'reason'>>> = {
  duplicate: {
    meaning: 'Every buyer who would take the lead already had this phone number or this e-mail address.',
    remedy:
      'Look for the same person before you post: the same form sent twice, a list that was posted before, a lead that is also sold elsewhere. A person can be sold again when the period of the marketplace is over.',
  },
  no_buyer: {
    meaning: 'The lead was fine, and no buyer was open for it.',
    remedy:
      'Send what buyers decide by: phone, e-mail, state, debt_amount, consent_timestamp and source_form_url. Post at once, while buyers are at work. If complete leads find no buyer for days, ask the operator which states and amounts are wanted.',
  },
  erased: {
    meaning: 'The person asked to be forgotten before the lead was decided.',
    remedy: 'Nothing. Do not post this person again.',
  },
};

const AT_INGEST: ReadonlyMap<string, Omit<ReasonInWords, 'reason'>> = new Map([
  [
    CONTACT_MISSING,
    {
      meaning: 'Neither email nor phone had anything in it.',
      remedy:
        'Send email, phone, or both. If your form asks for them, compare the names of its fields with your posting specification: a field under another name is not read.',
    },
  ],
  [
    NAME_MISSING,
    {
      meaning: 'None of full_name, first_name and last_name had anything in it.',
      remedy:
        'Send full_name, or first_name and last_name. If your form asks for the name, compare the names of its fields with your posting specification.',
    },
  ],
  ...standardNames.flatMap(faultsOfField),
]);

function faultsOfField(name: StandardName): Array<[string, Omit<ReasonInWords, 'reason'>]> {
  const { format, lengthMax, type } = fieldGuide[name];
  const invalid = {
    meaning:
      type === 'true or false' ? `${name} was neither true nor false.` : `${name} had a value that cannot be read.`,
    remedy: `${format} Leave it out where you do not have it.`,
  };
  const tooLong = {
    meaning: `${name} had more than ${lengthMax} characters.`,
    remedy: `Send at most ${lengthMax} characters. Check that nothing else of the form ends up in this field.`,
  };
  return possibleFaults(name).map((fault) => [fault, fault === invalidFault(name) ? invalid : tooLong]);
}

/** Every reason that there is, in the order in which faults are told. */
export const knownReasons: readonly string[] = [...AT_INGEST.keys(), ...Object.keys(LATER)];

/** One reason. A word that is not known any more, from an older version, stands for itself. */
export function reasonInWords(reason: string): ReasonInWords {
  const words = AT_INGEST.get(reason) ?? (isLater(reason) ? LATER[reason] : undefined);
  return {
    reason,
    ...(words ?? {
      meaning: reason,
      remedy: 'Ask the operator what is meant, and name the id of the lead.',
    }),
  };
}

/** Of what is stored with a lead: the faults of one that was refused, each apart, or why it was rejected later. */
export function reasonsInWords(stored: string | null): ReasonInWords[] {
  return stored === null ? [] : faultsOf(stored).map(reasonInWords);
}

function isLater(reason: string): reason is LaterReason {
  return Object.hasOwn(LATER, reason);
}
