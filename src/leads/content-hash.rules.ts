// Hashes the content of a submission, to recognise a repeated one and return its first response (contract 3.6).
import { hash } from 'node:crypto';
import { isMembers, type Members, newMembers } from '../base/json.ts';
import type { LeadFields, ValidLead } from './lead-fields.ts';
import { VERTICAL_NAME } from './supplier-verticals.rules.ts';

// In a fixed order. Null fields are omitted, so that a field added later does not change the hash of older leads.
const FIELDS = [
  'appointmentAt',
  'businessName',
  'consentText',
  'consentTimestamp',
  'consentVersion',
  'debtAmountCents',
  'email',
  'fullName',
  'jornayaLeadId',
  'leadIp',
  'phone',
  'source',
  'sourceFormUrl',
  'state',
  'tcpaConsent',
  'trustedformCertUrl',
  'utmCampaign',
  'utmContent',
  'utmMedium',
  'utmSource',
  'utmTerm',
] as const satisfies ReadonlyArray<keyof LeadFields>;

/** Text to append, or a value to serialise. */
type Pending = { readonly text: string } | { readonly value: unknown };

/**
 * SHA-256, 32 bytes as 32 characters (latin1), over the normalised fields, own ones included, and the extra members. The order of members and white space around
 * texts do not matter. `externalId` and `test` are not included: they are the key under which contents are compared.
 */
export function contentHash(lead: LeadFields & Pick<ValidLead, 'namesVertical'>): string {
  let text = '';
  for (const name of FIELDS) {
    const value = lead[name];
    // The length prefix makes the text unambiguous without escaping.
    if (typeof value === 'string') text += `${name}${value.length}:${value};`;
    else if (value !== null) text += `${name}=${value};`;
  }
  return hash('sha256', text + canonicalText(furtherMembers(lead)), 'binary');
}

/**
 * The extra members, with the own fields among them by their values, and the vertical if the submission names it: so the content stays the
 * same when the supplier gets a vertical, or the vertical a field, that the body had all along. For the same reason with the parts of the name that
 * were further members in earlier releases, while first and last name count as the full name, or beside it as further members.
 */
function furtherMembers(lead: Parameters<typeof contentHash>[0]): unknown {
  const { extra, own, vertical, namesVertical, middleName, namePrefix, nameSuffix } = lead;
  const hasParts = middleName !== undefined || namePrefix !== undefined || nameSuffix !== undefined;
  if (vertical === undefined && !hasParts) return extra;
  const members = newMembers();
  for (const name of Object.keys(extra)) members[name] = extra[name];
  if (middleName !== undefined) members['middle_name'] = middleName;
  if (namePrefix !== undefined) members['name_prefix'] = namePrefix;
  if (nameSuffix !== undefined) members['name_suffix'] = nameSuffix;
  for (const [name, { value }] of Object.entries(own ?? {})) members[name] = value;
  if (namesVertical === true) members[VERTICAL_NAME] = vertical;
  return members;
}

/** JSON with sorted members and trimmed texts. Iterative, because a body may nest deeper than the call stack. */
function canonicalText(root: unknown): string {
  let text = '';
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) text += next.text;
    else if (Array.isArray(next.value)) pushArray(pending, next.value);
    else if (isMembers(next.value)) pushMembers(pending, next.value);
    else text += scalarText(next.value);
  }
  return text;
}

// Pushed in reverse: the last item is written first.
function pushArray(pending: Pending[], elements: readonly unknown[]): void {
  pending.push({ text: ']' });
  for (let at = elements.length - 1; at >= 0; at -= 1) pending.push({ text: ',' }, { value: elements[at] });
  pending.push({ text: '[' });
}

function pushMembers(pending: Pending[], members: Members): void {
  pending.push({ text: '}' });
  for (const name of Object.keys(members).toSorted().toReversed()) {
    pending.push({ text: ',' }, { value: members[name] }, { text: `${JSON.stringify(name)}:` });
  }
  pending.push({ text: '{' });
}

function scalarText(value: unknown): string {
  // 1e400 is parsed as Infinity, which JSON.stringify would turn into null.
  return typeof value === 'string' ? JSON.stringify(value.trim()) : String(value);
}
