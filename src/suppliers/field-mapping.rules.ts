// Renames a supplier's own members to the standard ones before a lead is read (contract 3.7).
import { isBlank } from '../base/text.ts';
import { isMembers, type Members } from '../base/json.ts';
import { compileDateFormat } from '../base/read-date.rules.ts';
import { canonicalTimeZone, timeZoneFault } from '../base/time-zone.rules.ts';
import {
  isTransformName,
  type Transform,
  type TransformName,
  type TransformOptions,
  transformOptions,
  transforms,
  transformWith,
} from './field-transforms.rules.ts';
import { markTaken, type Path, pathOf, readPath, remainder, type Taken } from './nested-members.rules.ts';

/** The members of a submission that the service reads, in the order in which their errors are reported (contract 3.1, 3.3). */
export const standardNames = [
  'external_id',
  'full_name',
  'first_name',
  'last_name',
  'middle_name',
  'name_prefix',
  'name_suffix',
  'email',
  'phone',
  'business_name',
  'state',
  'debt_amount',
  'source',
  'consent_timestamp',
  'source_form_url',
  'tcpa_consent',
  'consent_version',
  'consent_text',
  'lead_ip',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'trustedform_cert_url',
  'jornaya_lead_id',
  'appointment_at',
  'test',
] as const;

export type StandardName = (typeof standardNames)[number];
export type MappingConstant = string | number | boolean;

/**
 * `{incomingName: standardName}` as in the marketplace file. A dotted incoming name is a member of exactly that name or, without one, a
 * path into nested objects and arrays: by position, or by the value of a member, as in `field_data[name=email].values.0`. `$set` contains constants: standard name → value. Where the marketplace has verticals, a
 * standard name may as well be `vertical` or the name of an own field.
 * The order of the members matters, so it must be kept when a mapping is stored.
 */
export type FieldMapping = Readonly<Record<string, MappedTo | MappingConstants>>;
export type MappedTo =
  | string
  | ({
      readonly to: string;
      readonly transform?: TransformName;
      /** A value that cannot be read counts as absent, instead of costing the lead. */
      readonly orNothing?: true;
    } & TransformOptions);
type MappingConstants = Readonly<Partial<Record<StandardName, MappingConstant>>>;

/** `path` is a JSON Pointer into the mapping, because incoming names may contain dots: `/contact.name/to`. */
export type MappingFault = { readonly path: string; readonly message: string };
export type CheckedFieldMapping =
  | { readonly ok: true; readonly mapping: FieldMapping }
  | { readonly ok: false; readonly faults: MappingFault[] };

type Source = { readonly name: string; readonly path: Path | null; readonly transform: Transform | null };
type Target = { readonly name: string; readonly sources: Source[] };

export type CompiledFieldMapping = {
  readonly isEmpty: boolean;
  readonly targets: readonly Target[];
  readonly constants: ReadonlyArray<readonly [string, MappingConstant]>;
  readonly taken: Taken;
  /** Fields whose value counts as absent if it cannot be read. */
  readonly orNothing: ReadonlySet<string>;
};

const CONSTANTS = '$set';
const NO_NAMES: ReadonlySet<string> = new Set();
const KNOWN_TARGETS: ReadonlySet<string> = new Set(standardNames);
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
// Longer than any form's question; bounds the depth of a path.
const NAME_LENGTH_MAX = 200;

/**
 * Validates a mapping from the marketplace file and reports all errors at once; null and undefined are the empty mapping. `ownNames` are the
 * own fields of verticals, which it may name as well.
 */
export function checkFieldMapping(mapping: unknown, ownNames: ReadonlySet<string> = NO_NAMES): CheckedFieldMapping {
  if (mapping === undefined || mapping === null) return { ok: true, mapping: {} };
  const faults: MappingFault[] = [];
  if (!isMembers(mapping)) {
    faults.push({ path: '', message: 'must map incoming names to field names' });
    return { ok: false, faults };
  }
  const entries: Array<[string, MappedTo | MappingConstants]> = [];
  for (const [name, entry] of Object.entries(mapping)) {
    const path = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (name === CONSTANTS) entries.push([name, readConstants({ faults, path, ownNames }, entry)]);
    else if (isMappable(faults, path, name)) entries.push([name, readTarget({ faults, path, ownNames }, entry)]);
  }
  return faults.length === 0 ? { ok: true, mapping: Object.fromEntries(entries) } : { ok: false, faults };
}

/** Prepares a checked mapping for `applyFieldMapping`, once instead of for each lead. */
export function compileFieldMapping(mapping: FieldMapping): CompiledFieldMapping {
  const targets = new Map<string, Target>();
  const constants: Array<readonly [string, MappingConstant]> = [];
  const taken: Taken = new Map();
  const orNothing = new Set<string>();
  for (const [name, entry] of Object.entries(mapping)) {
    if (typeof entry !== 'string' && !('to' in entry)) {
      constants.push(...Object.entries(entry));
      continue;
    }
    const { to, transform, ...options } = typeof entry === 'string' ? { to: entry } : entry;
    const path = pathOf(name);
    const target = targets.get(to) ?? { name: to, sources: [] };
    target.sources.push({ name, path, transform: transform === undefined ? null : transformWith(transform, options) });
    targets.set(to, target);
    taken.set(name, null);
    if (path !== null) markTaken(taken, path);
    if (options.orNothing === true) orNothing.add(to);
  }
  return {
    isEmpty: targets.size + constants.length === 0,
    targets: [...targets.values()],
    constants,
    taken,
    orNothing,
  };
}

/**
 * The body with standard names. An explicit mapping wins over a member that already has the standard name, a constant over both; of several
 * names for one target the first with a value wins. Mapped names are removed from the result, everything else stays. The body is never
 * modified; without a mapping it is the result itself, otherwise the result has no prototype.
 */
export function applyFieldMapping(compiled: CompiledFieldMapping, body: Members): Record<string, unknown> {
  if (compiled.isEmpty) return body;
  const result = remainder(body, compiled.taken);
  for (const target of compiled.targets) {
    for (const source of target.sources) {
      const value = read(body, source);
      if (!holdsSomething(value)) continue;
      result[target.name] = source.transform === null ? value : source.transform(value);
      break;
    }
  }
  for (const [name, value] of compiled.constants) result[name] = value;
  return result;
}

function isMappable(faults: MappingFault[], path: string, name: string): boolean {
  let message: string | null = null;
  if (name === '' || name.length > NAME_LENGTH_MAX)
    message = `an incoming name must have 1 to ${NAME_LENGTH_MAX} characters`;
  else if (name.startsWith('$')) message = `unknown directive; the only one is ${CONSTANTS}`;
  else if ([...name.split('.'), ...namesIn(pathOf(name))].some((part) => UNSAFE_NAMES.has(part))) {
    message = 'this name cannot be mapped';
  }
  if (message !== null) faults.push({ path, message });
  return message === null;
}

function namesIn(path: Path | null): string[] {
  return (path ?? []).map((part) => (typeof part === 'string' ? part : part.member));
}

type MappingCheck = {
  readonly faults: MappingFault[];
  readonly path: string;
  readonly ownNames: ReadonlySet<string>;
};

// The results of these two are used only if they report no error.
function readTarget({ faults, path, ownNames }: MappingCheck, entry: unknown): MappedTo {
  if (typeof entry === 'string') return readName({ faults, path, ownNames }, entry);
  if (!isMembers(entry)) {
    faults.push({ path, message: 'must be a field name or {to, transform}' });
    return '';
  }
  const to = readName({ faults, path: `${path}/to`, ownNames }, Object.hasOwn(entry, 'to') ? entry['to'] : undefined);
  for (const member of Object.keys(entry)) {
    if (!MEMBERS.has(member)) faults.push({ path: `${path}/${member}`, message: 'unknown member' });
  }
  const { transform, orNothing } = { transform: undefined, orNothing: undefined, ...entry };
  if (transform !== undefined && !isTransformName(transform)) {
    faults.push({ path: `${path}/transform`, message: `must be one of ${Object.keys(transforms).join(', ')}` });
  }
  const known = isTransformName(transform) ? transform : undefined;
  if (orNothing !== undefined && typeof orNothing !== 'boolean') {
    faults.push({ path: `${path}/orNothing`, message: 'must be true or false' });
  } else if (orNothing === true && NEVER_LEFT_OUT.has(to)) {
    faults.push({
      path: `${path}/orNothing`,
      message: `cannot be true for ${to}: without the value the lead is another one`,
    });
  }
  return {
    to,
    ...(known === undefined ? {} : { transform: known }),
    ...readOptions(faults, path, { transform: known, entry }),
    ...(orNothing === true ? { orNothing } : {}),
  };
}

const OPTIONS = ['format', 'timeZone'] as const;
const MEMBERS: ReadonlySet<string> = new Set(['to', 'transform', ...OPTIONS, 'orNothing']);
/** A test lead would be sold, a consent that was refused would follow from its time, and a lead would be sold as one of another kind. */
const NEVER_LEFT_OUT: ReadonlySet<string> = new Set(['test', 'tcpa_consent', 'vertical']);
const FORMAT_LENGTH_MAX = 100;

function readOptions(
  faults: MappingFault[],
  path: string,
  { transform, entry }: { readonly transform: TransformName | undefined; readonly entry: Members },
): TransformOptions {
  const options: Record<string, string> = {};
  for (const name of OPTIONS) {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    if (value === undefined) continue;
    const takers = Object.entries(transformOptions).flatMap(([taker, taken]) => (taken.includes(name) ? [taker] : []));
    const at = `${path}/${name}`;
    if (transform === undefined || !takers.includes(transform)) {
      faults.push({ path: at, message: `belongs to the transform ${takers.join(' or ')}` });
    } else if (typeof value !== 'string' || value === '' || value.length > FORMAT_LENGTH_MAX) {
      faults.push({ path: at, message: `must be a text of at most ${FORMAT_LENGTH_MAX} characters` });
    } else {
      const message = optionFault(name, value);
      if (message !== null) faults.push({ path: at, message });
      else options[name] = name === 'timeZone' ? (canonicalTimeZone(value) ?? value) : value;
    }
  }
  return options;
}

function optionFault(name: (typeof OPTIONS)[number], value: string): string | null {
  if (name === 'timeZone') return timeZoneFault(value);
  const reader = compileDateFormat(value);
  return typeof reader === 'string' ? reader : null;
}

function readConstants({ faults, path, ownNames }: MappingCheck, entry: unknown): MappingConstants {
  if (!isMembers(entry)) {
    faults.push({ path, message: 'must map field names to constants' });
    return {};
  }
  const constants: Array<[string, MappingConstant]> = [];
  for (const [name, value] of Object.entries(entry)) {
    const at = `${path}/${name}`;
    readName({ faults, path: at, ownNames }, name);
    if (isConstant(value)) constants.push([name, value]);
    else faults.push({ path: at, message: 'a constant must be a text, a number, true or false' });
  }
  return Object.fromEntries(constants);
}

function isConstant(value: unknown): value is MappingConstant {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function readName({ faults, path, ownNames }: MappingCheck, name: unknown): string {
  if (typeof name === 'string' && (KNOWN_TARGETS.has(name) || ownNames.has(name))) return name;
  faults.push({ path, message: 'is not the name of a lead field' });
  return '';
}

/** The incoming name that gave a field its value, and that value before its transform; null if none of them had a value. */
export function sourceOf(
  { targets }: CompiledFieldMapping,
  field: string,
  body: Members,
): { readonly name: string; readonly value: unknown } | null {
  for (const source of targets.find(({ name }) => name === field)?.sources ?? []) {
    const value = read(body, source);
    if (holdsSomething(value)) return { name: source.name, value };
  }
  return null;
}

function read(body: Members, source: Source): unknown {
  if (Object.hasOwn(body, source.name)) return body[source.name];
  return source.path === null ? undefined : readPath(body, source.path);
}

function holdsSomething(value: unknown): boolean {
  return value !== undefined && value !== null && !(typeof value === 'string' && isBlank(value));
}
