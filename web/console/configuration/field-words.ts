// Labels for members of the configuration and texts for their values, in differences, errors and past changes.
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import { isNothing, rulesWords, type RuleToName, templatesWords } from '../../ui/webhook-format/format-words.ts';
import type { FieldChanges, Kind } from '../../../src/console/changes.schema.ts';
import type { OwnFieldForm, OwnFilters } from './configuration-api.ts';
import { type Member, membersIn, membersOf, membersOfEntry } from './members.ts';
import { ownFieldWords, ownFiltersWords } from './own-field-words.ts';

// In the order in which changes are shown.
const WORDS: Readonly<Record<string, string>> = {
  ...titlesIn(membersOf('partner')),
  // Recorded in the audit log, but not part of the marketplace file.
  'settings.webhookSecret': 'Signing secret',
  'settings.webhookFormat': 'Webhook format',
  'settings.channels': 'Delivery channels',
  endpointDisabled: 'Endpoint disabled',
  ...titlesIn(membersOf('supplier')),
  ...titlesIn(membersOf('offer')),
  ...titlesIn(membersOf('marketplace')),
  ...titlesIn(membersOf('vertical')),
  fieldOrder: 'Order of the fields',
};

/** The titles of all members by path, including nested members. */
function titlesIn(members: Readonly<Record<string, Member>>, prefix = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, member]) => [
      ...(member.title === undefined ? [] : [[prefix + name, member.title] as const]),
      ...Object.entries(titlesIn(membersIn(member), `${prefix}${name}.`)),
    ]),
  );
}

const VALUES: Readonly<Record<string, string>> = {
  webhook: 'webhook',
  email: 'email',
  sms: 'text message',
  sheets: 'Google Sheets',
  sheets_script: 'Google Sheets script',
  'Lead Sale': 'leads',
  'Calendar Assigned': 'booked calls',
  asap: 'as soon as possible',
  even: 'evenly over the day',
  price: 'highest price',
  weighted: 'by weight',
  round_robin: 'round robin',
  prepaid: 'in advance (prepaid)',
  postpaid: 'by invoice (postpaid)',
  exclusive: 'exclusive',
  none: 'nothing',
  fixed: 'an amount per sold lead',
  share: 'a share of each price',
  forever: 'forever',
  timeline: 'timeline of a delivery',
  'delivery-logs': 'log of attempts',
  'test-delivery': 'test deliveries',
  'audit-log': 'audit log',
  'lead.processing_error': 'a lead could not be processed',
  'lead.routed': 'a lead was sold',
  'lead.rejected': 'a lead was not sold',
  'lead.returned': 'a lead was returned',
};

const MONEY = /^(?:payout|pay\.amount|budget\.\w+|billing\.creditLimit|filters\.debtAmount\.\w+)$/;
const NOTHING: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:caps|budget)\.|^billing\.creditLimit$/, 'no limit'],
  [/^rejections\./, 'not set'],
  [/^schedule$/, 'always open'],
  [/^pay\.rules$|^webhook\.response\.rules$|^webhook\.(?:headers|query|body)$/, 'none'],
  [/^webhook$/, 'standard'],
  [/^filters\.(?:states|suppliers|sources|debtAmount\.\w+|minScore|fields)$/, 'any'],
  [/^verticals?$|^fields(?:\.\w+)?$/, 'none'],
  [/^filters\.\w+Not$|^callback$|^channels$|^betaTools$|^editableFields$|holidays$/, 'none'],
];
export const dayNames: Readonly<Record<string, string>> = {
  ...{ mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
};
const DAYS = Object.keys(dayNames);

/** A field of a vertical: by position in an error, by name in a change. */
const OWN_FIELD = /^fields(?:\[(?<index>\d+)\](?:\.(?<member>\w+))?|\.(?<name>\w+)$)/;
/** A filter of an offer on an own field. */
const OWN_FILTER = /^filters\.fields\.(?<field>\w+)(?:\.(?<condition>\w+))?/;
const CONDITIONS: Readonly<Record<string, string>> = {
  ...{ in: 'any of', notIn: 'none of', min: 'minimum', max: 'maximum' },
};
const FIELD_TITLES = titlesIn(membersOfEntry('vertical', 'fields'));

/** `caps.daily` → `Daily cap`; the last part of an unknown path. */
export function fieldWords(path: string): string {
  const own = OWN_FIELD.exec(path)?.groups;
  if (own !== undefined) {
    const { index, name, member } = own;
    const which = name ?? Number(index) + 1;
    return member === undefined ? `Field ${which}` : `Field ${which}, ${FIELD_TITLES[member] ?? member}`;
  }
  const { field, condition } = OWN_FILTER.exec(path)?.groups ?? {};
  if (field !== undefined) {
    const words = CONDITIONS[condition ?? ''];
    return `Own fields, ${field}${words === undefined ? '' : `, ${words}`}`;
  }
  const plain = path.replaceAll(/\[\d+\]/g, '');
  const known = WORDS[plain];
  if (known !== undefined) return known;
  const parent = Object.keys(WORDS).find((name) => plain.startsWith(`${name}.`) || plain.startsWith(`${name}[`));
  if (parent !== undefined) return `${WORDS[parent]}, ${plain.slice(parent.length + 1).replaceAll(/^"|"\]/g, '')}`;
  return plain.split('.').at(-1) ?? plain;
}

export function valueWords(path: string, value: unknown, currency: string): string {
  if (isNothing(value)) return NOTHING.find(([pattern]) => pattern.test(path))?.[1] ?? 'not set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return MONEY.test(path) ? formatMoney(value, currency) : formatNumber(value);
  if (path === 'fields') return (value as ReadonlyArray<Partial<OwnFieldForm>>).map(ownFieldWords).join('\n');
  if (OWN_FIELD.test(path)) return ownFieldWords(value as Partial<OwnFieldForm>);
  if (path === 'filters.fields') return ownFiltersWords(value as OwnFilters);
  if (path === 'pay.clawback.onReturn') return value === 'none' ? 'paid all the same' : 'taken back';
  if (typeof value === 'string') return VALUES[value] ?? value;
  if (path === 'editableFields') {
    return (value as readonly string[]).map((name) => fieldWords(`settings.${name}`)).join(', ');
  }
  if (path === 'webhook.response.rules') return rulesWords(value as readonly RuleToName[]);
  if (Array.isArray(value)) return listWords(value as readonly unknown[], currency);
  const form = value as Readonly<Record<string, unknown>>;
  if ('sharedWith' in form) return `shared with up to ${String(form['sharedWith'])} buyers in all`;
  if (path === 'fieldMapping') return mappingWords(form);
  if (/^webhook\.(?:headers|query)$/.test(path)) return templatesWords(form);
  return Object.entries(form)
    .map(([name, member]) => `${name} ${valueWords(`${path}.${name}`, member, currency)}`)
    .join(', ');
}

type PayRule = {
  readonly when: {
    readonly states?: readonly string[];
    readonly sources?: readonly string[];
    readonly eventTypes?: readonly string[];
    readonly minScore?: number | null;
  };
  readonly amount?: number | null;
  readonly percent?: number | null;
};

/** `TX, CA, score from 70: $15.00` */
function payRuleWords({ when, amount, percent }: PayRule, currency: string): string {
  const { states = [], sources = [], eventTypes = [], minScore = null } = when;
  const names = [...states, ...sources, ...eventTypes.map((type) => VALUES[type] ?? type)];
  const score = minScore === null || minScore === 0 ? [] : [`score from ${minScore}`];
  const rate = typeof percent === 'number' ? `${formatNumber(percent)} %` : formatMoney(amount ?? 0, currency);
  return `${[...names, ...score].join(', ')}: ${rate}`;
}

function listWords(list: readonly unknown[], currency: string): string {
  if (list.every((item) => typeof item === 'object' && item !== null && 'days' in item)) {
    return (list as ReadonlyArray<{ days: readonly string[]; from: string; to: string }>)
      .map(({ days, from, to }) => `${daysWords(days)} ${from}–${to}`)
      .join('; ');
  }
  if (list.every((item) => typeof item === 'object' && item !== null && 'when' in item)) {
    return (list as readonly PayRule[]).map((rule) => payRuleWords(rule, currency)).join('; ');
  }
  return list.map((item) => VALUES[String(item)] ?? String(item)).join(', ');
}

/** mon, tue, wed, fri → `Mon–Wed, Fri` */
export function daysWords(days: readonly string[]): string {
  const dayIndexes = DAYS.flatMap((day, dayIndex) => (days.includes(day) ? [dayIndex] : []));
  const runs: Array<[first: number, last: number]> = [];
  for (const dayIndex of dayIndexes) {
    const run = runs.at(-1);
    if (run?.[1] === dayIndex - 1) run[1] = dayIndex;
    else runs.push([dayIndex, dayIndex]);
  }
  const nameOf = (dayIndex: number): string => dayNames[DAYS[dayIndex] ?? ''] ?? '';
  return runs
    .map(([first, last]) =>
      first === last ? nameOf(first) : `${nameOf(first)}${last === first + 1 ? ', ' : '–'}${nameOf(last)}`,
    )
    .join(', ');
}

function mappingWords(mapping: Readonly<Record<string, unknown>>): string {
  return Object.entries(mapping)
    .flatMap(([name, entry]) => {
      if (typeof entry === 'string') return [`${name} → ${entry}`];
      if (name === '$set')
        return Object.entries(entry as object).map(([field, value]) => `${field} = ${String(value)}`);
      const { to, transform, format, timeZone, orNothing } = entry as Readonly<
        Record<string, string | boolean | undefined>
      >;
      const how = [transform, format, timeZone, orNothing === true ? 'or nothing' : undefined];
      const stated = how.filter((part) => part !== undefined).join(', ');
      return [`${name} → ${String(to)}${stated === '' ? '' : ` (${stated})`}`];
    })
    .join(', ');
}

export type ReadableChange = { readonly path: string; readonly from: unknown; readonly to: unknown };

const ORDER = Object.keys(WORDS);

/** One change per member, in the order of the forms. A new item's maps arrive whole and are split into their members. */
export function readableChanges(fields: FieldChanges): ReadableChange[] {
  const changes = Object.entries(fields).flatMap(([path, { from, to }]) => splitMap(path, from, to));
  return changes.toSorted((one, other) => ORDER.indexOf(one.path) - ORDER.indexOf(other.path));
}

function splitMap(path: string, from: unknown, to: unknown): ReadableChange[] {
  const isMap = typeof to === 'object' && to !== null && !Array.isArray(to);
  if (
    !isMap ||
    from !== null ||
    path === 'fieldMapping' ||
    path === 'sale' ||
    path === 'filters.fields' ||
    OWN_FIELD.test(path) ||
    /^webhook\.(?:headers|query)$/.test(path)
  )
    return [{ path, from, to }];
  return Object.entries(to).flatMap(([name, value]) => splitMap(`${path}.${name}`, null, value));
}

const KINDS: Readonly<Record<Kind, string>> = {
  marketplace: 'The marketplace’s settings',
  vertical: 'Vertical',
  supplier: 'Supplier',
  partner: 'Partner',
  offer: 'Offer',
};

export function thingWords(kind: Kind, key: string): string {
  return kind === 'marketplace' ? KINDS[kind] : `${KINDS[kind]} ${key}`;
}
