// Texts for the factors of a score and their notes, for operators (contract 3.5).
import {
  type OwnNote,
  type ScoreFactorName,
  scoreFactorNames,
  type ScoreFactors,
  type ScoreNote,
} from './score-lead.rules.ts';

export type FactorText = {
  readonly name: ScoreFactorName;
  readonly label: string;
  readonly points: number;
  readonly max: number;
  /** Reasons for lost points. */
  readonly notes: readonly string[];
};

const LABELS: Readonly<Record<ScoreFactorName, string>> = {
  contact: 'Contact',
  completeness: 'Completeness',
  consent: 'Consent',
  supplier: 'Supplier',
  plausibility: 'Plausibility',
};

const NOTES = {
  phone_absent: 'no phone number',
  phone_not_valid_line: 'the phone number cannot exist',
  email_absent: 'no email address',
  email_disposable: 'the email address is disposable',
  missing_phone: 'no phone number',
  missing_email: 'no email address',
  missing_state: 'no state',
  missing_debt_amount: 'no debt amount',
  missing_lead_ip: 'no IP address',
  missing_utm_source: 'no utm_source',
  missing_business_name: 'no business name',
  name_single_word: 'the name is a single word',
  consent_absent: 'no consent',
  consent_undated: 'the consent has no date',
  consent_older_than_day: 'the consent is older than a day',
  consent_older_than_week: 'the consent is older than a week',
  consent_older_than_month: 'the consent is older than a month',
  consent_form_absent: 'no URL of the consent form',
  supplier_returns_some: 'some leads of the supplier are returned',
  supplier_returns_high: 'many leads of the supplier are returned',
  amount_absent: 'no debt amount',
  amount_unusual: 'the debt amount is unusual',
  amount_implausible: 'the debt amount is implausible',
  state_absent: 'no state',
  state_phone_abroad: 'the phone number is of another country',
} as const satisfies Record<Exclude<ScoreNote, OwnNote>, string>;

const OWN_NOTE = 'missing_own:';

/** In the order of addition. An unknown note, from another version, is returned unchanged. */
export function describeFactors(factors: unknown): FactorText[] {
  if (typeof factors !== 'object' || factors === null) return [];
  const known = factors as Partial<ScoreFactors>;
  return scoreFactorNames.flatMap((name) => {
    const factor = known[name];
    if (factor === undefined) return [];
    const { points, max, notes } = factor;
    return [{ name, label: LABELS[name], points, max, notes: notes.map(noteText) }];
  });
}

function noteText(note: ScoreNote): string {
  if (isOwnNote(note)) return `no ${note.slice(OWN_NOTE.length)}`;
  return NOTES[note] ?? note;
}

function isOwnNote(note: ScoreNote): note is OwnNote {
  return note.startsWith(OWN_NOTE);
}
