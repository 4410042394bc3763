// Builds an example submission in a supplier's own shape by inverting its field mapping; validated by the mapping and the checks
// themselves (contract 3.3, 3.7).
import { dateFormatter } from '../base/date-format.rules.ts';
import { readRegion, type Regions } from '../base/regions.ts';
import { isMembers } from '../base/json.ts';
import { splitReason, invalidError, tooLongError } from '../leads/field-errors.rules.ts';
import { fieldGuide } from '../leads/field-guide.rules.ts';
import { readOwnFields } from '../leads/own-fields.rules.ts';
import { sampleOwn } from '../leads/sample-own.rules.ts';
import { type SupplierVerticals, VERTICAL_NAME } from '../leads/supplier-verticals.rules.ts';
import { validateLead } from '../leads/validate-lead.rules.ts';
import type { OwnField, Vertical } from '../marketplace/verticals.ts';
import {
  applyFieldMapping,
  compileFieldMapping,
  type CompiledFieldMapping,
  type FieldMapping,
  type StandardName,
  standardNames,
} from '../suppliers/field-mapping.rules.ts';
import { type TransformName, type TransformOptions, transformWith } from '../suppliers/field-transforms.rules.ts';
import { type Path, pathOf, type Selector } from '../suppliers/nested-members.rules.ts';
import { type Conversion, mappedFields } from './mapped-fields.rules.ts';

export type ExampleSubmission = {
  /** Marked as a test if the mapping allows it. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isTest: boolean;
};

/** Fields of a good lead, sent under their standard names if the mapping does not cover them. */
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

/** The longest list in an example; a name with a higher index becomes an object. */
const LONGEST_LIST = 10;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Makes a submission valid, so that a single further field can be tried. */
const PERSON = { full_name: 'Jordan Rivera', email: 'jordan.rivera@example.com' };

/** The accepted regions and the current time. `ending`: of the external id, because two examples are two leads. */
type Market = { readonly regions: Regions; readonly now: Date; readonly ending?: string };

type Member = { readonly name: string; readonly field: string; readonly value: unknown };

/** The vertical of an example; `isDefault`: the lead need not name it. */
export type ExampleVertical = { readonly vertical: Vertical; readonly isDefault: boolean };

/** Null if no submission can be valid with this mapping. `of`: null for a lead of no vertical. */
export function buildExample(
  mapping: FieldMapping,
  regions: Regions,
  now: Date,
  of: ExampleVertical | null = null,
): ExampleSubmission | null {
  const compiled = compileFieldMapping(mapping);
  const market = { regions, now, ending: of === null || of.isDefault ? '' : `-${of.vertical.key}` };
  let members = [
    ...mappedMembers(mapping, market),
    ...usualMembers(compiled, market),
    ...(of === null ? [] : verticalMembers(mapping, of, now)),
    ...testMember(mapping, compiled),
  ];
  for (;;) {
    const body = bodyOf(members);
    const verdict = validateLead(applyFieldMapping(compiled, body), { regions, verticals: verticalsFor(of) }, now);
    if (verdict.ok) return { body, isTest: verdict.lead.test };
    // Values that are valid alone may conflict if their names overlap.
    const faults = new Set(splitReason(verdict.reason));
    const kept = members.filter(({ field }) => !faults.has(invalidError(field)) && !faults.has(tooLongError(field)));
    if (kept.length === members.length) return null;
    members = kept;
  }
}

/** A valid incoming value for a field under a transform; undefined if there is none. */
export function validSample(field: StandardName, conversion: Conversion | null, market: Market): unknown {
  const natural = sampleValue(field, market);
  return [...convertedSamples(conversion, natural, market), natural].find((candidate) => {
    const value = converted(conversion, candidate);
    return validateLead({ ...PERSON, [field]: value }, market, market.now).ok;
  });
}

function converted(conversion: Conversion | null, value: unknown): unknown {
  const { transform = null, ...options } = conversion ?? {};
  return transform === null ? value : transformWith(transform, options)(value);
}

function mappedMembers(mapping: FieldMapping, market: Market): Member[] {
  const members: Member[] = [];
  for (const mapped of mappedFields(mapping).fields) {
    const { name, field, isAlternative } = mapped;
    // `testMember` sets the test flag, and one of several names for a field is enough.
    if (field === 'test' || isAlternative || !isStandard(field)) continue;
    const value = validSample(field, mapped, market);
    if (value !== undefined) members.push({ name, field, value });
  }
  return members;
}

function isStandard(name: string): name is StandardName {
  return standardNames.some((standard) => standard === name);
}

function verticalMembers(mapping: FieldMapping, { vertical, isDefault }: ExampleVertical, now: Date): Member[] {
  const named = isDefault ? [] : namesFor(mapping, VERTICAL_NAME).map(({ name }) => ({ name, value: vertical.key }));
  const own = vertical.fields.flatMap((field) =>
    namesFor(mapping, field.name).flatMap(({ name, ...conversion }) => {
      const value = validOwnSample(field, conversion, now);
      return value === undefined ? [] : [{ name, value }];
    }),
  );
  return [...named, ...own].map((member) => ({ ...member, field: VERTICAL_NAME }));
}

/** Null for a lead of no vertical. */
function verticalsFor(of: ExampleVertical | null): SupplierVerticals | null {
  if (of === null) return null;
  const { vertical, isDefault } = of;
  return { byDefault: isDefault ? vertical.key : null, open: new Map([[vertical.key, vertical]]) };
}

type OwnName = Conversion & { readonly name: string };

/** The name under which to send a field that is not a standard one; none if it has a constant value or its name is taken. */
function namesFor(mapping: FieldMapping, wanted: string): OwnName[] {
  const { fields, constants } = mappedFields(mapping);
  if (constants.some(({ field }) => field === wanted)) return [];
  const mapped = fields.find(({ field }) => field === wanted);
  if (mapped !== undefined) return [mapped];
  return fields.some(({ name }) => name === wanted) ? [] : [{ name: wanted, transform: null }];
}

/** A valid incoming value for an own field under a transform; undefined if there is none. */
export function validOwnSample(field: OwnField, conversion: Conversion | null, now: Date): unknown {
  const natural = sampleOwn(field, now);
  return [...convertedSamples(conversion, natural, { regions: 'any', now }), natural].find((candidate) => {
    const value = converted(conversion, candidate);
    return Object.hasOwn(readOwnFields({ fields: [field] }, { [field.name]: value }).own, field.name);
  });
}

function usualMembers(compiled: CompiledFieldMapping, market: Market): Member[] {
  const known = new Set([...compiled.targets.map(({ name }) => name), ...compiled.constants.map(([name]) => name)]);
  // First or last name replace the full name.
  const isNamed = known.has('first_name') || known.has('last_name');
  return USUAL.filter(
    (name) => !known.has(name) && !compiled.taken.has(name) && !(isNamed && name === 'full_name'),
  ).map((name) => ({ name, field: name, value: sampleValue(name, market) }));
}

function testMember(mapping: FieldMapping, compiled: CompiledFieldMapping): Member[] {
  const { fields, constants } = mappedFields(mapping);
  if (constants.some(({ field }) => field === 'test')) return [];
  const mapped = fields.find(({ field }) => field === 'test');
  if (mapped !== undefined) return [{ name: mapped.name, field: 'test', value: true }];
  return compiled.taken.has('test') ? [] : [{ name: 'test', field: 'test', value: true }];
}

function sampleValue(field: StandardName, { regions, now, ending = '' }: Market): string | boolean {
  if (field === 'external_id') return `sample-${seconds(now).replaceAll(/[^0-9]/g, '')}${ending}`;
  if (field === 'consent_timestamp') return seconds(new Date(now.getTime() - MINUTE_MS));
  if (field === 'appointment_at') return seconds(new Date(now.getTime() + 3 * DAY_MS));
  if (field === 'state' && isCanadian(regions)) return 'ON';
  return fieldGuide[field].example;
}

/** Typical incoming values that the transform converts. */
function convertedSamples(
  conversion: Conversion | null,
  natural: string | number | boolean,
  { regions, now }: Market,
): unknown[] {
  const { transform = null, ...options } = conversion ?? {};
  if (transform === null) return [];
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
    time: [writtenTime(new Date(at), options)],
    date: [writtenDay(natural, options)],
    boolean: typeof natural === 'boolean' ? [natural ? 'yes' : 'no'] : [],
    public_ip: ['203.0.113.20, 10.0.0.1'],
  };
  return ways[transform];
}

function writtenTime(at: Date, { format = 'YYYY-MM-DD HH:mm:ss', timeZone = 'UTC' }: TransformOptions): unknown {
  return String(dateFormatter(format, timeZone)(at.toISOString()));
}

function writtenDay(natural: string | number | boolean, { format = 'YYYY-MM-DD' }: TransformOptions): unknown {
  return typeof natural === 'string' ? String(dateFormatter(format, 'UTC')(natural)) : natural;
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
    const path = pathOf(name);
    // If a path is occupied, the whole name works because it is read first.
    if (path === null || !put(body, path, value)) body[name] = value;
  }
  return body;
}

/** False if another value is in the way; the other members are then read as before. */
function put(body: Record<string, unknown>, path: Path, value: unknown): boolean {
  let level: Record<string, unknown> | unknown[] = body;
  for (const [depth, part] of path.entries()) {
    if (typeof part !== 'string') {
      if (!Array.isArray(level) || depth === path.length - 1) return false;
      level = elementFor(level, part);
      continue;
    }
    if (Array.isArray(level) && !isPosition(part)) return false;
    const isLast = depth === path.length - 1;
    const below: unknown = memberOf(level, part);
    if (isLast) {
      if (below !== undefined && below !== null) return false;
      setMember(level, part, value);
      return true;
    }
    if (below !== undefined && below !== null && !isMembers(below) && !Array.isArray(below)) return false;
    const then = path[depth + 1] ?? '';
    const next: Record<string, unknown> | unknown[] =
      isMembers(below) || Array.isArray(below) ? below : typeof then !== 'string' || isPosition(then) ? [] : {};
    setMember(level, part, next);
    level = next;
  }
  return false;
}

/** The element of a list that a selector finds, which is added if there is none. */
function elementFor(elements: unknown[], { member, value }: Selector): Record<string, unknown> {
  const found = elements.find((element) => isMembers(element) && element[member] === value);
  if (found !== undefined) return found as Record<string, unknown>;
  const added = { [member]: value };
  elements.push(added);
  return added;
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
