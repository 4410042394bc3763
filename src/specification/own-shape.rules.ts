// An example of a submission in a supplier's own shape: its field mapping turned round, and proven by the mapping and the checks
// themselves (contract 3.3, 3.7).
import { readRegion, type Regions } from '../base/regions.ts';
import { isMembers } from '../base/json.ts';
import { splitReason, invalidError, tooLongError } from '../leads/field-errors.rules.ts';
import { fieldGuide } from '../leads/field-guide.rules.ts';
import { validateLead } from '../leads/validate-lead.rules.ts';
import {
  applyFieldMapping,
  compileFieldMapping,
  type CompiledFieldMapping,
  type FieldMapping,
  type StandardName,
} from '../suppliers/field-mapping.rules.ts';
import { transforms, type TransformName } from '../suppliers/field-transforms.rules.ts';
import { mappedFields } from './mapping-words.rules.ts';

export type OwnExample = {
  /** Marked as a test where the mapping leaves a way to say so. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isTest: boolean;
};

/** Sent by whoever has no mapping for them: what a good lead has. */
const USUAL: readonly StandardName[] = [
  'external_id',
  'full_name',
  'email',
  'phone',
  'state',
  'debt_amount',
  'source',
  'consent_timestamp',
  'source_form_url',
  'lead_ip',
];

/** An example may hold a list this long; a name that counts further gets an object. */
const LONGEST_LIST = 10;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Passes the checks, whatever a single field is tried beside it. */
const PERSON = { full_name: 'Jordan Rivera', email: 'jordan.rivera@example.com' };

/** What is taken as a state, and when it is. */
type Market = { readonly regions: Regions; readonly now: Date };

type Member = { readonly name: string; readonly field: StandardName; readonly value: unknown };

/** Null where no submission can pass with this mapping. */
export function exampleInOwnShape(mapping: FieldMapping, regions: Regions, now: Date): OwnExample | null {
  const compiled = compileFieldMapping(mapping);
  const market = { regions, now };
  let members = [
    ...mappedMembers(mapping, market),
    ...usualMembers(compiled, market),
    ...testMember(mapping, compiled),
  ];
  for (;;) {
    const body = bodyOf(members);
    const verdict = validateLead(applyFieldMapping(compiled, body), regions, now);
    if (verdict.ok) return { body, isTest: verdict.lead.test };
    // What one field alone may have, two of them under names that run into each other may not.
    const faults = new Set(splitReason(verdict.reason));
    const kept = members.filter(({ field }) => !faults.has(invalidError(field)) && !faults.has(tooLongError(field)));
    if (kept.length === members.length) return null;
    members = kept;
  }
}

/** The value that is sent for a field under a transform; undefined where none passes its check. */
export function sampleFor(field: StandardName, transform: TransformName | null, market: Market): unknown {
  const natural = naturalValue(field, market);
  const candidates = transform === null ? [natural] : [...writtenFor(transform, natural, market), natural];
  return candidates.find((candidate) => {
    const value = transform === null ? candidate : transforms[transform](candidate);
    return validateLead({ ...PERSON, [field]: value }, market.regions, market.now).ok;
  });
}

function mappedMembers(mapping: FieldMapping, market: Market): Member[] {
  const members: Member[] = [];
  for (const { name, field, transform, isAlternative } of mappedFields(mapping).fields) {
    // The test mark is set apart, and of several names for one field one is enough.
    if (field === 'test' || isAlternative) continue;
    const value = sampleFor(field, transform, market);
    if (value !== undefined) members.push({ name, field, value });
  }
  return members;
}

function usualMembers(compiled: CompiledFieldMapping, market: Market): Member[] {
  const known = new Set([...compiled.targets.map(({ name }) => name), ...compiled.constants.map(([name]) => name)]);
  // A name in first and last is a name.
  const isNamed = known.has('first_name') || known.has('last_name');
  return USUAL.filter(
    (name) => !known.has(name) && !compiled.taken.has(name) && !(isNamed && name === 'full_name'),
  ).map((name) => ({ name, field: name, value: naturalValue(name, market) }));
}

function testMember(mapping: FieldMapping, compiled: CompiledFieldMapping): Member[] {
  const { fields, constants } = mappedFields(mapping);
  if (constants.some(({ field }) => field === 'test')) return [];
  const mapped = fields.find(({ field }) => field === 'test');
  if (mapped !== undefined) return [{ name: mapped.name, field: 'test', value: true }];
  return compiled.taken.has('test') ? [] : [{ name: 'test', field: 'test', value: true }];
}

function naturalValue(field: StandardName, { regions, now }: Market): string | boolean {
  if (field === 'external_id') return `sample-${seconds(now).replaceAll(/[^0-9]/g, '')}`;
  if (field === 'consent_timestamp') return seconds(new Date(now.getTime() - MINUTE_MS));
  if (field === 'appointment_at') return seconds(new Date(now.getTime() + 3 * DAY_MS));
  if (field === 'state' && isCanadian(regions)) return 'ON';
  return fieldGuide[field].example;
}

/** As people and their forms write what the transform puts right. */
function writtenFor(transform: TransformName, natural: string | boolean, { regions, now }: Market): unknown[] {
  const at = now.getTime() - MINUTE_MS;
  const ways: Readonly<Record<TransformName, unknown[]>> = {
    trim: [],
    upper: typeof natural === 'string' ? [natural.toLowerCase()] : [],
    lower: [],
    digits: [],
    us_phone: ['(555) 555-0123'],
    state_name: [isCanadian(regions) ? 'Ontario' : 'California'],
    money: ['$24,500.00'],
    epoch_s: [Math.trunc(at / 1000)],
    epoch_ms: [at],
  };
  return ways[transform];
}

function isCanadian(regions: Regions): boolean {
  return readRegion('CA', regions) === null;
}

function seconds(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}

function bodyOf(members: readonly Member[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, value } of members) {
    const parts = name.split('.');
    // A name that ends in a full stop is no path, and where a path is taken the whole name is read first.
    if (parts.length === 1 || parts.includes('') || !put(body, parts, value)) body[name] = value;
  }
  return body;
}

/** False where something else stands in the way; nothing is changed then that would change how the rest is read. */
function put(body: Record<string, unknown>, parts: readonly string[], value: unknown): boolean {
  let level: Record<string, unknown> | unknown[] = body;
  for (const [depth, part] of parts.entries()) {
    if (Array.isArray(level) && !isPosition(part)) return false;
    const isLast = depth === parts.length - 1;
    const below: unknown = memberOf(level, part);
    if (isLast) {
      if (below !== undefined && below !== null) return false;
      setMember(level, part, value);
      return true;
    }
    if (below !== undefined && below !== null && !isMembers(below) && !Array.isArray(below)) return false;
    const next: Record<string, unknown> | unknown[] =
      isMembers(below) || Array.isArray(below) ? below : isPosition(parts[depth + 1] ?? '') ? [] : {};
    setMember(level, part, next);
    level = next;
  }
  return false;
}

function isPosition(part: string): boolean {
  return /^\d$/.test(part) && Number(part) < LONGEST_LIST;
}

function memberOf(level: Readonly<Record<string, unknown>> | readonly unknown[], part: string): unknown {
  if (Array.isArray(level)) return level[Number(part)];
  return Object.hasOwn(level, part) ? (level as Record<string, unknown>)[part] : undefined;
}

function setMember(level: Record<string, unknown> | unknown[], part: string, value: unknown): void {
  if (!Array.isArray(level)) {
    level[part] = value;
    return;
  }
  const position = Number(part);
  while (level.length < position) level.push(null);
  level[position] = value;
}
