// Checks of a marketplace file beyond its schema: times, amounts as written, targets, and members that depend on each other.
import { isBlank } from '../base/text.ts';
import { isMembers, type Members } from '../base/json.ts';
import { centsOfNumber, parseCents } from '../base/money.ts';
import { readRegion, regionCode, type Regions } from '../base/regions.ts';
import { startOfUtcDay } from '../base/time.ts';
import { timeZoneFault } from '../base/time-zone.rules.ts';
import { checkSetting, type SettingOptions } from '../buyers/check-setting.rules.ts';
import { buyerSettings } from '../buyers/partner.schema.ts';
import { branchFor, type MemberSchema } from '../marketplace/configured-form.rules.ts';
import type { MemberCheck } from '../marketplace/configured.schema.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { checkWebhookFormat } from '../deliveries/templates/check-webhook-format.rules.ts';
import { checkTargetUrl } from '../platform/outbound/target.rules.ts';
import { checkFilterForm } from '../routing/check-field-filters.rules.ts';
import { minuteOfClock } from '../routing/offer-form.rules.ts';
import { checkFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { checkPayTerms } from '../suppliers/check-pay-terms.rules.ts';
import { checkOwnField, checkOwnFields } from './check-own-fields.rules.ts';
import { unknownName } from './nearest-name.rules.ts';
import type { FileSettings } from '../buyers/buyer.ts';

/** `pointer` is a JSON Pointer into the file; with `ofName` the member's name is wrong, not its value. */
export type MemberFault = {
  readonly pointer: string;
  readonly message: string;
  readonly ofName?: boolean;
  /** Where in the member's text the error is, in UTF-16 units. */
  readonly inText?: number;
};
/** With `isRelation` the error concerns members that depend on each other; errors of a single member come first. */
export type RelatedFault = MemberFault & { readonly isRelation: boolean };

export type CheckOptions = SettingOptions & {
  readonly regions: Regions;
  /** A scalar as written in the file. */
  sourceOf(pointer: string): string | null;
  /** Called with each URL that the service will call, after its text was checked. */
  onTarget(url: string, pointer: string): void;
  /** The names that a field mapping may name besides the standard ones; none by default. */
  readonly ownNames?: ReadonlySet<string>;
};

/** An error of the value, or with `at` of a member of it, as a JSON Pointer from the value. */
type Fault = Omit<MemberFault, 'pointer'> & { readonly at?: string };
type CheckContext = { readonly pointer: string; readonly schema: MemberSchema; readonly options: CheckOptions };
type Check = (value: unknown, spot: CheckContext) => readonly Fault[];

/** The errors of a value with its defaults filled in. Values of a wrong type are skipped: the schema reports those. */
export function* memberFaults(
  schema: MemberSchema,
  value: unknown,
  pointer: string,
  options: CheckOptions,
): Generator<RelatedFault> {
  const branch = schema.anyOf === undefined ? schema : branchFor(schema, value);
  if (branch === undefined || value === undefined) return;
  if (branch.check !== undefined) {
    const isRelation = RELATIONS.has(branch.check);
    for (const { at = '', ...fault } of CHECKS[branch.check](value, { pointer, options, schema: branch })) {
      yield { ...fault, pointer: pointer + at, isRelation };
    }
  }
  if (Array.isArray(value) && branch.items !== undefined) {
    for (const [index, item] of value.entries())
      yield* memberFaults(branch.items, item, `${pointer}/${index}`, options);
  } else if (isMembers(value)) {
    for (const [name, member] of Object.entries(branch.properties ?? {})) {
      if (Object.hasOwn(value, name)) yield* memberFaults(member, value[name], `${pointer}/${name}`, options);
    }
  }
}

/** Reports repeated entries in lists of unique entries. */
export function* repetitions(schema: MemberSchema, value: unknown, pointer: string): Generator<MemberFault> {
  const branch = branchFor(schema, value);
  if (branch === undefined) return;
  if (Array.isArray(value) && branch.items !== undefined) {
    const seen = new Set<unknown>();
    for (const [index, item] of value.entries()) {
      if (branch.uniqueItems === true && seen.has(item)) {
        yield { pointer: `${pointer}/${index}`, message: `names "${String(item)}" for the second time` };
      }
      seen.add(item);
      yield* repetitions(branch.items, item, `${pointer}/${index}`);
    }
  } else if (isMembers(value)) {
    for (const [name, member] of Object.entries(branch.properties ?? {})) {
      if (Object.hasOwn(value, name)) yield* repetitions(member, value[name], `${pointer}/${name}`);
    }
  }
}

const RELATIONS: ReadonlySet<MemberCheck> = new Set([
  'hours',
  'disjointHours',
  'slots',
  'offer',
  'range',
  'creditLimit',
  'pay',
  'ownField',
  'ownFields',
]);

const CHECKS: Readonly<Record<MemberCheck, Check>> = {
  line: (value, { schema }) => lineFaults(value, schema),
  logo: (value, { schema: { errorMessage = '' } }) =>
    typeof value === 'string' && isImage(value) ? [] : [{ message: errorMessage }],
  timeZone: (value, { schema }) => lineFaults(value, schema, (text) => timeZoneFault(text) ?? true),
  day: (value, { schema }) =>
    lineFaults(value, schema, (text) => startOfUtcDay(text) !== null || 'must be a real day such as 2026-12-24'),
  email: (value, { schema }) =>
    lineFaults(value, schema, (text) => isEmail(text) || 'must be an email address such as billing@summit.example'),
  target: (value, { schema, options, pointer }) =>
    lineFaults(value, schema, (text) => {
      const verdict = checkTargetUrl(text, options.allowTargets);
      if (verdict.ok) options.onTarget(text, pointer);
      return verdict.ok || `is refused: ${verdict.reason}`;
    }),
  time: (value, { schema: { pattern = '', errorMessage = '' } }) =>
    typeof value === 'string' && new RegExp(pattern).test(value) ? [] : [{ message: errorMessage }],
  amount(value, { options, pointer, schema: { errorMessage = '' } }) {
    const cents = typeof value === 'number' ? parseCents(options.sourceOf(pointer) ?? '') : null;
    return cents === null ? [{ message: errorMessage }] : [];
  },
  percent: (value, { schema: { errorMessage = '' } }) =>
    typeof value === 'number' && centsOfNumber(value) === null ? [{ message: errorMessage }] : [],
  pay: (value) => (isMembers(value) ? checkPayTerms(value) : []),
  state: (value, { options: { regions } }) => stateFaults(typeof value === 'string' ? value : '', regions),
  hours: (value) => (isMembers(value) ? hoursFaults(value) : []),
  disjointHours: (value) => (Array.isArray(value) ? overlaps(value) : []),
  slots: (value) => (isMembers(value) && hasNoSlot(value) ? [NO_SLOT] : []),
  offer: (value) => (isMembers(value) ? [...bookingFaults(value), ...priceFaults(value)] : []),
  range: (value) =>
    isMembers(value) && Number(value['min'] ?? 0) > Number(value['max'] ?? Infinity)
      ? [{ at: '/max', message: 'must not be less than "min"' }]
      : [],
  creditLimit: (value) =>
    isMembers(value) && value['mode'] === 'prepaid' && Number(value['creditLimit']) > 0
      ? [{ at: '/creditLimit', message: 'must be 0 or left out: who pays in advance has no credit' }]
      : [],
  weights: (value) =>
    isMembers(value) && Object.values(value).every((weight) => weight === 0) ? [{ message: 'must not all be 0' }] : [],
  settings: settingsFaults,
  ownField: (value) => (isMembers(value) ? checkOwnField(value) : []),
  ownFields: (value) => (Array.isArray(value) ? checkOwnFields(value) : []),
  fieldFilters: (value) => checkFilterForm(value),
  webhookFormat: (value, { options: { ownNames } }) =>
    isMembers(value) ? checkWebhookFormat(value, { ownFields: ownNames ?? null }) : [],
  fieldMapping(value, { options: { ownNames } }) {
    const checked = checkFieldMapping(value, ownNames);
    return checked.ok ? [] : checked.faults.map(({ path, message }) => ({ at: path, message }));
  },
};

/** Requires one line of text that is not blank. */
function lineFaults(
  value: unknown,
  { maxLength = Infinity }: MemberSchema,
  further: (text: string) => string | boolean = () => true,
): Fault[] {
  if (typeof value !== 'string') return [];
  if (isBlank(value)) return [{ message: 'must not be empty' }];
  if (/\p{Cc}/u.test(value)) return [{ message: 'must be one line without control characters' }];
  if ([...value.slice(0, 2 * maxLength + 1)].length > maxLength) {
    return [{ message: `must have at most ${maxLength} characters` }];
  }
  const message = further(value);
  return typeof message === 'string' ? [{ message }] : [];
}

const IMAGE_STARTS = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')];

/** Whether a data URL has the first bytes of a PNG or JPEG image; anything else, such as SVG, could carry scripts. */
function isImage(url: string): boolean {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  return IMAGE_STARTS.some((start) => bytes.subarray(0, start.length).equals(start));
}

function stateFaults(text: string, regions: Regions): Fault[] {
  if (readRegion(text, regions) !== null) return [];
  const meant = regionCode(text);
  const hint = meant === null || readRegion(meant, regions) === null ? '' : ` (did you mean ${meant}?)`;
  return [{ message: `must be ${describeStates(regions)}${hint}` }];
}

function describeStates(regions: Regions): string {
  if (regions === 'any') return 'two letters';
  const words = { US: 'US state, such as CA', CA: 'Canadian province, such as ON' };
  return `the two letters of a ${regions.map((country) => words[country]).join(', or of a ')}`;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

type Span = { readonly from: number; readonly to: number };

/** null if one of the times is invalid. */
function readSpan({ from, to }: Members): Span | null {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  if (!TIME.test(from) || !(TIME.test(to) || to === '24:00')) return null;
  return { from: minuteOfClock(from), to: minuteOfClock(to) };
}

function hoursFaults(hours: Members): Fault[] {
  const span = readSpan(hours);
  if (span === null || span.from < span.to) return [];
  return [
    { at: '/to', message: 'must be later than "from"; hours past midnight are two entries, one of them to "24:00"' },
  ];
}

function overlaps(list: readonly unknown[]): Fault[] {
  const entries = list.map((entry) => ({
    days: isMembers(entry) && Array.isArray(entry['days']) ? (entry['days'] as unknown[]) : [],
    span: isMembers(entry) ? readSpan(entry) : null,
  }));
  return entries.flatMap(({ days, span }, index) => {
    const earlier = entries.slice(0, index).findIndex((other) => {
      if (span === null || other.span === null || !days.some((day) => other.days.includes(day))) return false;
      return span.from < other.span.to && other.span.from < span.to;
    });
    return earlier === -1 ? [] : [{ at: `/${index}`, message: `overlaps with entry ${earlier + 1} of this list` }];
  });
}

const NO_SLOT: Fault = {
  at: '/slotMinutes',
  message: 'leave no room: no entry of the availability is as long as a slot',
};

function hasNoSlot({ availability, slotMinutes }: Members): boolean {
  const entries = (Array.isArray(availability) ? (availability as unknown[]) : [availability]).filter(isMembers);
  const spans = entries.map(readSpan);
  return (
    typeof slotMinutes === 'number' &&
    spans.length > 0 &&
    spans.every((span) => span !== null && span.from < span.to && span.to - span.from < slotMinutes)
  );
}

function bookingFaults({ eventType, booking }: Members): Fault[] {
  if (eventType === 'Calendar Assigned' && booking === null) {
    return [{ at: '/eventType', message: 'needs "booking", which says when calls can be booked' }];
  }
  return eventType === 'Lead Sale' && booking !== null
    ? [{ at: '/booking', message: 'belongs only to the event type Calendar Assigned' }]
    : [];
}

function priceFaults({ payout, price, priceMin }: Members): Fault[] {
  if (price !== 'answered') {
    return priceMin === null || priceMin === undefined
      ? []
      : [{ at: '/priceMin', message: 'belongs only to the price "answered"' }];
  }
  if (typeof priceMin !== 'number') {
    return [{ at: '/price', message: 'needs "priceMin", the lowest price that the partner may name' }];
  }
  return priceMin > Number(payout) ? [{ at: '/priceMin', message: 'must not be more than "payout"' }] : [];
}

/** The partner settings that a file states. null clears a setting; a missing setting stays unchanged. */
export function readStatedSettings(
  value: unknown,
  options: SettingOptions,
): { readonly stated: FileSettings; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const stated: Record<string, unknown> = {};
  if (!isMembers(value)) faults.push({ message: `must be a map of ${buyerSettings.join(', ')}` });
  for (const [key, member] of Object.entries(isMembers(value) ? value : {})) {
    if (member === undefined) continue;
    const name = buyerSettings.find((known) => known === key);
    const at = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const verdict = name === undefined ? null : checkSetting(name, member, options);
    if (name === undefined || verdict === null)
      faults.push({ at, message: unknownName(key, buyerSettings), ofName: true });
    else if (!verdict.ok) faults.push({ at, message: verdict.message });
    else stated[name] = verdict.value;
  }
  return { stated, faults };
}

function settingsFaults(value: unknown, { options, pointer }: CheckContext): Fault[] {
  const { stated, faults } = readStatedSettings(value, options);
  for (const [name, url] of Object.entries(stated)) {
    if (name.endsWith('Url') && typeof url === 'string') options.onTarget(url, `${pointer}/${name}`);
  }
  return faults.map((fault) => {
    // YAML reads `+15555550123` without quotes as a number.
    const isNumber = fault.ofName !== true && typeof (value as Members)[fault.at?.slice(1) ?? ''] === 'number';
    const source = isNumber ? options.sourceOf(`${pointer}${fault.at}`) : null;
    return source === null ? fault : { ...fault, message: `${fault.message}; write it in quotes: "${source}"` };
  });
}
