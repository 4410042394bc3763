// Members of the configuration in words: how differences, faults and changes of the past are told.
import { formatMoney, formatNumber } from '../../ui/formats.ts';
import type { FieldChanges, Kind } from '../../../src/console/changes.schema.ts';

const WORDS: Readonly<Record<string, string>> = {
  name: 'Name',
  key: 'Key',
  status: 'Status',
  timeZone: 'Time zone',
  channels: 'Channels',
  editableFields: 'What the partner may change',
  betaTools: 'Beta tools',
  'rateLimit.perSecond': 'Requests per second',
  'rateLimit.burst': 'Requests at once',
  'settings.notificationEmail': 'E-mail address',
  'settings.ccEmails': 'Further e-mail addresses',
  'settings.webhookUrl': 'Webhook address',
  'settings.phone': 'Phone',
  'settings.smsNumber': 'Number for text messages',
  'settings.sheetsWebhookUrl': 'Address of the sheet’s script',
  'settings.sheetsSpreadsheetId': 'Spreadsheet',
  'settings.webhookSecret': 'Signing secret',
  'returnPolicy.windowBusinessDays': 'Days to return, in business days',
  'returnPolicy.holidays': 'Own days off',
  'returnPolicy.disputeWindowDays': 'Days to dispute',
  'returnPolicy.monthlyCaps.leads': 'Returned leads a month, at most',
  'returnPolicy.monthlyCaps.bookings': 'Returned bookings a month, at most',
  'billing.mode': 'Billing',
  'billing.creditLimit': 'Credit limit',
  endpointDisabled: 'Endpoint disabled',
  fieldMapping: 'Field mapping',
  'callback.url': 'Callback address',
  'callback.events': 'Callback events',
  callback: 'Callback',
  eventType: 'Sells',
  payout: 'Price',
  sale: 'Sale',
  'sale.sharedWith': 'Buyers of a lead, at most',
  priority: 'Priority',
  weight: 'Weight',
  'filters.states': 'States',
  'filters.statesNot': 'States left out',
  'filters.debtAmount.min': 'Debt, at least',
  'filters.debtAmount.max': 'Debt, at most',
  'filters.minScore': 'Score, at least',
  'filters.suppliers': 'Suppliers',
  'filters.suppliersNot': 'Suppliers left out',
  'filters.sources': 'Sources',
  'filters.sourcesNot': 'Sources left out',
  'filters.requireConsent': 'Consent required',
  'filters.requireEmail': 'E-mail required',
  'filters.requirePhone': 'Phone required',
  schedule: 'Hours',
  'caps.daily': 'Leads a day, at most',
  'caps.weekly': 'Leads a week, at most',
  'caps.monthly': 'Leads a month, at most',
  'budget.daily': 'Budget a day',
  'budget.weekly': 'Budget a week',
  'budget.monthly': 'Budget a month',
  pacing: 'Pacing',
  booking: 'Booking',
  'booking.availability': 'Bookable hours',
  'booking.slotMinutes': 'Length of a slot in minutes',
  'booking.capacity': 'Calls at the same time',
  'booking.noticeMinutes': 'Notice in minutes',
  'booking.horizonDays': 'Days ahead',
  currency: 'Currency',
  strategy: 'Strategy',
  regions: 'States',
  dedupDays: 'Days in which a person is not sold again',
  holdMinutes: 'Minutes that a lead may wait',
  retrySeconds: 'Waits before each attempt, in seconds',
  'scoreWeights.contact': 'Score: contact',
  'scoreWeights.completeness': 'Score: completeness',
  'scoreWeights.consent': 'Score: consent',
  'scoreWeights.supplier': 'Score: supplier',
  'scoreWeights.plausibility': 'Score: plausibility',
  'breaker.failures': 'Failures until an endpoint rests',
  'breaker.probeSeconds': 'Seconds until it is tried again',
  'retention.leadDays': 'Days that persons are kept',
  'retention.rawBodyDays': 'Days that submissions are kept as received',
  'retention.snippetDays': 'Days that answers of endpoints are kept',
  'retention.attemptDays': 'Days that attempts are kept',
  'retention.decisionDays': 'Days that decisions are kept',
  'retention.personDays': 'Days that it is kept who was sold',
  'retention.consentYears': 'Years that proofs of consent are kept',
};

const VALUES: Readonly<Record<string, string>> = {
  webhook: 'webhook',
  email: 'e-mail',
  sms: 'text message',
  sheets: 'Google Sheets',
  sheets_script: 'Google Sheets script',
  asap: 'as soon as possible',
  even: 'evenly over the day',
  price: 'highest price',
  round_robin: 'in turns',
  prepaid: 'prepaid',
  postpaid: 'postpaid',
  exclusive: 'exclusive',
  forever: 'for ever',
  timeline: 'timeline of a delivery',
  'delivery-logs': 'log of attempts',
  'test-delivery': 'test deliveries',
  'audit-log': 'audit log',
};

const MONEY = /^(?:payout|budget\.\w+|billing\.creditLimit|filters\.debtAmount\.\w+)$/;
const NOTHING: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(?:caps|budget)\.|^billing\.creditLimit$/, 'no limit'],
  [/^schedule$/, 'always open'],
  [/^filters\.(?:states|suppliers|sources|debtAmount\.\w+|minScore)$/, 'any'],
  [/^filters\.\w+Not$|^callback$|^channels$|^betaTools$|^editableFields$|holidays$/, 'none'],
];
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
export const dayNames: Readonly<Record<string, string>> = {
  ...{ mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
};

/** `caps.daily` → `Leads a day, at most`; of one that is not known its last name. */
export function fieldWords(path: string): string {
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
  if (typeof value === 'string') return VALUES[value] ?? value;
  if (path === 'editableFields') {
    return (value as readonly string[]).map((name) => fieldWords(`settings.${name}`)).join(', ');
  }
  if (Array.isArray(value)) return listWords(value as readonly unknown[]);
  const form = value as Readonly<Record<string, unknown>>;
  if ('sharedWith' in form) return `shared with up to ${String(form['sharedWith'])} buyers in all`;
  if (path === 'fieldMapping') return mappingWords(form);
  return Object.entries(form)
    .map(([name, member]) => `${name} ${valueWords(`${path}.${name}`, member, currency)}`)
    .join(', ');
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function listWords(list: readonly unknown[]): string {
  if (list.every((item) => typeof item === 'object' && item !== null && 'days' in item)) {
    return (list as ReadonlyArray<{ days: readonly string[]; from: string; to: string }>)
      .map(({ days, from, to }) => `${daysWords(days)} ${from}–${to}`)
      .join('; ');
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
      const { to, transform } = entry as { to: string; transform?: string };
      return [`${name} → ${to}${transform === undefined ? '' : ` (${transform})`}`];
    })
    .join(', ');
}

export type ReadableChange = { readonly path: string; readonly from: unknown; readonly to: unknown };

const ORDER = Object.keys(WORDS);

/** Member by member in the order of the forms; a new thing has its maps in one piece, which are taken apart here. */
export function readableChanges(fields: FieldChanges): ReadableChange[] {
  const sent = Object.entries(fields).flatMap(([path, { from, to }]) => takenApart(path, from, to));
  return sent.toSorted((one, other) => ORDER.indexOf(one.path) - ORDER.indexOf(other.path));
}

function takenApart(path: string, from: unknown, to: unknown): ReadableChange[] {
  const isMap = typeof to === 'object' && to !== null && !Array.isArray(to);
  if (!isMap || from !== null || path === 'fieldMapping' || path === 'sale') return [{ path, from, to }];
  return Object.entries(to).flatMap(([name, value]) => takenApart(`${path}.${name}`, null, value));
}

const KINDS: Readonly<Record<Kind, string>> = {
  marketplace: 'The marketplace’s settings',
  supplier: 'Supplier',
  partner: 'Partner',
  offer: 'Offer',
};

export function thingWords(kind: Kind, key: string): string {
  return kind === 'marketplace' ? KINDS[kind] : `${KINDS[kind]} ${key}`;
}
