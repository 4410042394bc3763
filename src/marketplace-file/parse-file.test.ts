import { defaultTerms } from '../buyers/buyer-row.rules.ts';
import { readFile } from 'node:fs/promises';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { faultsOf, marked, options, parsed, partner } from '../../test/support/marked-file.ts';
import { noPay } from '../suppliers/supplier-form.rules.ts';
import { parseFile } from './parse-file.ts';

const supplier = (lines: string): string => `suppliers:\n  - key: acme\n    ${lines}\n`;
const offer = (members: string): string => partner(`offers:\n      - { key: west, ${members} }`);
const sale = (members: string): string => offer(`eventType: Lead Sale, payout: 45, ${members}`);
const booking = (members: string): string =>
  offer(`eventType: Calendar Assigned, payout: 120, booking: { ${members} }`);

const url = 'url: "https://acme.example/"';
const unstorable = 'holds a character that cannot be stored (NUL or half of a surrogate pair)';
const amount = 'must be an amount such as 45.00: no quotes, at most two decimals and nine digits before them';
const key = 'must be a key: 1 to 63 lower-case letters, digits and hyphens, beginning with a letter or digit';
const zone = 'must be an IANA time zone, such as America/New_York';
const time = 'must be a time such as "08:00", to "24:00" at most';
const settings =
  'notificationEmail, ccEmails, webhookUrl, phone, smsNumber, sheetsWebhookUrl, sheetsSpreadsheetId, webhookSecret, webhookFormat, channels';

describe('A marketplace file is rejected with the position of the error:', () => {
  const cases: ReadonlyArray<readonly [what: string, text: string, ...faults: string[]]> = [
    ['nothing', '¶', ': the file is empty'],
    ['comments only', '¶# nothing\n\n', ': the file is empty'],
    ['a list', '¶- key: acme\n', ': must be a map of marketplace, verticals, suppliers, partners'],
    ['a second document', 'suppliers: []\n¶---\npartners: []\n', ': begins a second document'],
    ['an open quote', 'suppliers:\n  - key: "acme\n¶', ': is not YAML here: Missing closing "quote'],
    ['a tab', 'marketplace:\n¶\tcurrency: USD\n', ': is not YAML here: Tabs are not allowed as indentation'],
    ['a custom tag', 'suppliers: ¶!list []\n', ': is not YAML here: Unresolved tag: !list'],
    ['a misspelt section', '¶partner: []\n', 'partner: is not known here; did you mean "partners"?'],
    [
      'an unknown section',
      '¶leads: []\n',
      'leads: is not known here; known are marketplace, verticals, suppliers, partners',
    ],
    ['a member twice', 'suppliers: []\n¶suppliers: []\n', 'suppliers: stands here for the second time'],
    ['NUL', supplier('name: ¶"a\\0b"'), `suppliers[0].name: ${unstorable}`],
    ['half a character', 'suppliers:\n  - key: ¶"\\ud800"\n', `suppliers[0].key: ${unstorable}`],
    ['no anchor', 'suppliers: ¶*them\n', 'suppliers: there is no anchor &them above'],
    ['a value inside itself', 'suppliers: &them [¶*them]\n', 'suppliers[0]: *them would contain itself'],
    ['a merged text', supplier('<<: ¶more'), 'suppliers[0]["<<"]: must be a map, an alias of one, or a list of such'],

    [
      'a strategy',
      'marketplace:\n  strategy: ¶prize\n',
      'marketplace.strategy: must be one of price, weighted, round_robin (did you mean "price"?)',
    ],
    [
      'an unknown model',
      supplier('pay: { model: ¶part }'),
      'suppliers[0].pay.model: must be one of none, fixed, share',
    ],
    [
      'terms that are text',
      supplier('pay: ¶lots'),
      'suppliers[0].pay: must be a map of model, amount, percent, rules, clawback, hold',
    ],
    ['no amount', supplier('pay: ¶{ model: fixed }'), 'suppliers[0].pay.amount: is missing'],
    ['no percentage', supplier('pay: ¶{ model: share }'), 'suppliers[0].pay.percent: is missing'],
    [
      'a percentage of a fixed amount',
      supplier('pay: { model: fixed, amount: 12, percent: ¶60 }'),
      'suppliers[0].pay.percent: must be left out: the model fixed goes by amount',
    ],
    [
      'an amount for nothing',
      supplier('pay: { amount: ¶12 }'),
      'suppliers[0].pay.amount: must be left out while the model is none',
    ],
    [
      'a rule for nothing',
      supplier('pay: { rules: ¶[{ when: { states: [CA] }, amount: 1 }] }'),
      'suppliers[0].pay.rules: must be left out while the model is none',
    ],
    ...['¶100.01', '¶-1', '¶33.333', '¶.nan'].map(
      (value) =>
        [
          `a percentage of ${value.slice(1)}`,
          supplier(`pay: { model: share, percent: ${value} }`),
          'suppliers[0].pay.percent: must be a percentage such as 60 or 37.5: from 0 to 100, at most two decimals',
        ] as const,
    ),
    [
      'a state of terms that is none',
      supplier('pay: { model: share, percent: 60, rules: [{ when: { states: [CA, ¶ZZ] }, percent: 50 }] }'),
      'suppliers[0].pay.rules[0].when.states[1]: must be the two letters of a US state, such as CA, or of a Canadian province, such as ON',
    ],
    [
      'an unknown type',
      supplier('pay: { model: share, percent: 60, rules: [{ when: { eventTypes: [¶Sale] }, percent: 50 }] }'),
      'suppliers[0].pay.rules[0].when.eventTypes[0]: must be one of Lead Sale, Calendar Assigned',
    ],
    [
      'a rule without a percentage',
      supplier('pay: { model: share, percent: 60, rules: [¶{ when: { minScore: 50 } }] }'),
      'suppliers[0].pay.rules[0].percent: is missing',
    ],
    [
      'a rule without a condition',
      supplier('pay: { model: share, percent: 60, rules: [{ when: ¶{ minScore: 0 }, percent: 50 }] }'),
      'suppliers[0].pay.rules[0].when: must name at least one condition; what holds for all other leads stands outside of the rules',
    ],
    [
      'a rule that contradicts an earlier one',
      supplier(
        'pay: { model: fixed, amount: 9, rules: [{ when: { states: [CA, TX] }, amount: 8 }, { when: ¶{ states: [TX], eventTypes: [Lead Sale, Calendar Assigned] }, amount: 7 }] }',
      ),
      'suppliers[0].pay.rules[1].when: is never reached: rule 1 of this list matches all of its leads',
    ],
    [
      'a rule for better leads after one for good leads',
      supplier(
        'pay: { model: fixed, amount: 9, rules: [{ when: { minScore: 50 }, amount: 8 }, { when: ¶{ states: [TX], minScore: 51 }, amount: 7 }] }',
      ),
      'suppliers[0].pay.rules[1].when: is never reached: rule 1 of this list matches all of its leads',
    ],
    [
      'too many days',
      supplier('pay: { model: fixed, amount: 9, hold: { days: ¶366 } }'),
      'suppliers[0].pay.hold.days: must be a whole number from 0 to 365',
    ],
    ['no name of its own', 'marketplace: { name: ¶" " }', 'marketplace.name: must not be empty'],
    [
      'a name that is a number',
      'marketplace: { name: ¶24 }',
      'marketplace.name: must be text; write it in quotes: "24"',
    ],
    [
      'a name of 101 letters',
      `marketplace: { name: ¶${'é'.repeat(101)} }`,
      'marketplace.name: must have at most 100 characters',
    ],
    [
      'a currency',
      'marketplace: { currency: ¶dollars }',
      'marketplace.currency: must be a currency code of three capitals, such as USD',
    ],
    ['no region', 'marketplace: { regions: ¶[] }', 'marketplace.regions: must name US or CA or both, or be any'],
    [
      'a region of another country',
      'marketplace: { regions: [US, ¶DE] }',
      'marketplace.regions[1]: must be one of US, CA',
    ],
    ['any among countries', 'marketplace: { regions: [US, ¶any] }', 'marketplace.regions[1]: must be one of US, CA'],
    ['half a day', 'marketplace: { dedupDays: ¶30.5 }', 'marketplace.dedupDays: must be a whole number from 0 to 3650'],
    [
      'a number in quotes',
      'marketplace: { holdMinutes: ¶"15" }',
      'marketplace.holdMinutes: must be a whole number from 0 to 10080',
    ],
    [
      'no attempt',
      'marketplace: { retrySeconds: ¶[] }',
      'marketplace.retrySeconds: must name 1 to 50 waits, one for each attempt',
    ],
    [
      'a negative wait',
      'marketplace: { retrySeconds: [0, ¶-5] }',
      'marketplace.retrySeconds[1]: must be a whole number from 0 to 604800',
    ],
    [
      'weights of nothing',
      'marketplace:\n  scoreWeights: ¶{ contact: 0, completeness: 0, consent: 0, supplier: 0, plausibility: 0 }\n',
      'marketplace.scoreWeights: must not all be 0',
    ],
    [
      'a negative weight',
      'marketplace: { scoreWeights: { contact: ¶-1 } }',
      'marketplace.scoreWeights.contact: must be a number from 0 to 1000000',
    ],
    [
      'a breaker that opens at nothing',
      'marketplace: { breaker: { failures: ¶0 } }',
      'marketplace.breaker.failures: must be a whole number from 1 to 1000',
    ],

    ['no key', 'suppliers:\n  - ¶name: Acme\n', 'suppliers[0].key: is missing'],
    ['a key with nothing behind it', 'suppliers:\n  - ¶key:\n    name: Acme\n', 'suppliers[0].key: is missing'],
    [
      'an entry that is text',
      'suppliers: [¶acme]',
      'suppliers[0]: must be a map of key, name, status, vertical, verticals, fieldMapping, callback, rateLimit, timeZone, pay',
    ],
    ['a map for a list', 'suppliers:\n  ¶acme: { name: Acme }\n', 'suppliers: must be a list, such as [one, two]'],
    ['a key in capitals', 'suppliers: [{ key: ¶Acme }]', `suppliers[0].key: ${key}`],
    ['a key of 64 letters', `suppliers: [{ key: ¶${'a'.repeat(64)} }]`, `suppliers[0].key: ${key}`],
    ['a key that is a number', 'suppliers: [{ key: ¶7 }]', 'suppliers[0].key: must be text; write it in quotes: "7"'],
    [
      'a key that is taken',
      'suppliers: [{ key: acme }, { key: ¶acme }]',
      'suppliers[1].key: "acme" is taken: suppliers[0].key has it',
    ],
    ['an empty name', supplier('name: ¶" "'), 'suppliers[0].name: must not be empty'],
    [
      'a name of two lines',
      supplier('name: ¶"a\\nb"'),
      'suppliers[0].name: must be one line without control characters',
    ],
    ['a long name', supplier(`name: ¶${'a'.repeat(501)}`), 'suppliers[0].name: must have at most 500 characters'],
    [
      'a status',
      supplier('status: ¶aproved'),
      'suppliers[0].status: must be one of pending, approved, suspended (did you mean "approved"?)',
    ],
    [
      'a mapping to nowhere',
      supplier('fieldMapping: { a.b: ¶fullname }'),
      'suppliers[0].fieldMapping["a.b"]: is not the name of a lead field',
    ],
    [
      'a transform',
      supplier('fieldMapping:\n      "a/b": { to: phone, transform: ¶phone }'),
      'suppliers[0].fieldMapping["a/b"].transform: must be one of trim, upper, lower, digits, us_phone, state_name, money, epoch_s, epoch_ms, time, date, boolean, public_ip',
    ],
    ['a callback without a URL', supplier('callback: ¶{}'), 'suppliers[0].callback.url: is missing'],
    [
      'a callback to a private address',
      supplier('callback: { url: ¶"https://10.0.0.1/" }'),
      'suppliers[0].callback.url: is refused: The URL points to an address that is not public.',
    ],
    [
      'a callback event',
      supplier(`callback: { ${url}, events: [¶lead.route] }`),
      'suppliers[0].callback.events[0]: must be one of lead.processing_error, lead.routed, lead.rejected, lead.returned (did you mean "lead.routed"?)',
    ],
    [
      'a callback without events',
      supplier(`callback: { ${url}, events: ¶[] }`),
      'suppliers[0].callback.events: must name at least one event',
    ],
    [
      'a rate of nothing',
      supplier('rateLimit: { perSecond: ¶0 }'),
      'suppliers[0].rateLimit.perSecond: must be more than 0',
    ],
    [
      'a burst of nothing',
      supplier('rateLimit: { burst: ¶0 }'),
      'suppliers[0].rateLimit.burst: must be a whole number from 1 to 1000000',
    ],

    [
      'a misspelt member',
      partner('¶timezone: UTC'),
      'partners[0].timezone: is not known here; did you mean "timeZone"?',
    ],
    ['a time zone', partner('timeZone: ¶America/San_Francisco'), `partners[0].timeZone: ${zone}`],
    ['an offset for a time zone', partner('timeZone: ¶"+01:00"'), `partners[0].timeZone: ${zone}`],
    [
      'a channel',
      partner('channels: [¶hook]'),
      'partners[0].channels[0]: must be one of webhook, email, sms, sheets, sheets_script',
    ],
    [
      'a channel twice',
      partner('channels: [email, ¶email]'),
      'partners[0].channels[1]: names "email" for the second time',
    ],
    [
      'a setting',
      partner('settings: { ¶webhook: x }'),
      'partners[0].settings.webhook: is not known here; did you mean "webhookUrl"?',
    ],
    [
      'a URL that is not HTTPS',
      partner('settings: { webhookUrl: ¶"http://crm.summit.example/" }'),
      'partners[0].settings.webhookUrl: is refused: The URL must begin with https://.',
    ],
    [
      'an email address',
      partner('settings: { notificationEmail: ¶summit }'),
      'partners[0].settings.notificationEmail: must be an email address',
    ],
    [
      'an address whose local part is no dot-atom',
      partner('settings: { notificationEmail: ¶ann..lee@summit.example }'),
      'partners[0].settings.notificationEmail: must be an email address',
    ],
    [
      'a phone number without quotes',
      partner('settings: { phone: ¶+15555550123 }'),
      'partners[0].settings.phone: must be text or null; write it in quotes: "+15555550123"',
    ],
    [
      'a single copy',
      partner('settings: { ccEmails: ¶desk@summit.example }'),
      'partners[0].settings.ccEmails: must be a list of email addresses or null',
    ],
    [
      'an editable field',
      partner('editableFields: [¶timeZone]'),
      `partners[0].editableFields[0]: must be one of ${settings}`,
    ],
    [
      'a beta tool',
      partner('betaTools: [¶timelines]'),
      'partners[0].betaTools[0]: must be one of timeline, delivery-logs, test-delivery, audit-log (did you mean "timeline"?)',
    ],
    [
      'a day that is none',
      partner('returnPolicy: { holidays: [¶2026-02-30] }'),
      'partners[0].returnPolicy.holidays[0]: must be a real day such as 2026-12-24',
    ],
    [
      'more than the whole',
      partner('returnPolicy: { monthlyCaps: { leads: ¶"101%" } }'),
      'partners[0].returnPolicy.monthlyCaps.leads: must be a count such as 20, or a percentage up to 100 such as "10%"',
    ],
    [
      'a negative count',
      partner('returnPolicy: { monthlyCaps: { bookings: ¶-1 } }'),
      'partners[0].returnPolicy.monthlyCaps.bookings: must be a count such as 20, or a percentage up to 100 such as "10%"',
    ],
    [
      'half a day of return',
      partner('returnPolicy: { windowBusinessDays: ¶2.5 }'),
      'partners[0].returnPolicy.windowBusinessDays: must be a whole number from 0 to 365',
    ],
    [
      'a mode of billing',
      partner('billing: { mode: ¶pre-paid }'),
      'partners[0].billing.mode: must be one of postpaid, prepaid (did you mean "prepaid"?)',
    ],
    [
      'credit for who pays in advance',
      partner('billing: { mode: prepaid, creditLimit: ¶5 }'),
      'partners[0].billing.creditLimit: must be 0 or left out: who pays in advance has no credit',
    ],
    ['a negative limit', partner('billing: { creditLimit: ¶-5 }'), `partners[0].billing.creditLimit: ${amount}`],

    [
      'an offer without its terms',
      partner('offers: [¶¶{ key: west }]'),
      'partners[0].offers[0].eventType: is missing',
      'partners[0].offers[0].payout: is missing',
    ],
    ['a third decimal', offer('eventType: Lead Sale, payout: ¶45.005'), `partners[0].offers[0].payout: ${amount}`],
    ['an amount in quotes', offer('eventType: Lead Sale, payout: ¶"45.00"'), `partners[0].offers[0].payout: ${amount}`],
    [
      'an amount with an exponent',
      offer('eventType: Lead Sale, payout: ¶4e1'),
      `partners[0].offers[0].payout: ${amount}`,
    ],
    [
      'a payout of nothing',
      offer('eventType: Lead Sale, payout: ¶0.00'),
      'partners[0].offers[0].payout: must be at least 0.01',
    ],
    [
      'an event type',
      offer('eventType: ¶Sale, payout: 45'),
      'partners[0].offers[0].eventType: must be one of Lead Sale, Calendar Assigned',
    ],
    [
      'a sale',
      sale('sale: ¶shared'),
      'partners[0].offers[0].sale: must be exclusive, or { sharedWith: N } for at most N buyers in all',
    ],
    [
      'sharing with oneself',
      sale('sale: { sharedWith: ¶1 }'),
      'partners[0].offers[0].sale.sharedWith: must be a whole number from 2 to 100',
    ],
    ['a weight', sale('weight: ¶-1'), 'partners[0].offers[0].weight: must be a number from 0 to 1000000'],
    [
      'a cap',
      sale('caps: { daily: ¶-1 }'),
      'partners[0].offers[0].caps.daily: must be a whole number from 0 to 1000000000',
    ],
    ['a window', sale('caps: { ¶day: 1 }'), 'partners[0].offers[0].caps.day: is not known here; did you mean "daily"?'],
    ['a budget', sale('budget: { daily: ¶1.234 }'), `partners[0].offers[0].budget.daily: ${amount}`],
    [
      'a pacing',
      sale('pacing: ¶evenly'),
      'partners[0].offers[0].pacing: must be one of asap, even (did you mean "even"?)',
    ],
    [
      'a state in full',
      sale('filters: { states: [CA, ¶California] }'),
      'partners[0].offers[0].filters.states[1]: must be the two letters of a US state, such as CA, or of a Canadian province, such as ON (did you mean CA?)',
    ],
    [
      'a region of neither the US nor Canada',
      sale('filters: { states: [ON, ¶BY] }'),
      'partners[0].offers[0].filters.states[1]: must be the two letters of a US state, such as CA, or of a Canadian province, such as ON',
    ],
    [
      'a province where only the US is taken',
      `marketplace: { regions: [US] }\n${sale('filters: { states: [CA, ¶Ontario] }')}`,
      'partners[0].offers[0].filters.states[1]: must be the two letters of a US state, such as CA',
    ],
    [
      'a name where any two letters are taken',
      `marketplace: { regions: any }\n${sale('filters: { states: [BY, ¶Quebec] }')}`,
      'partners[0].offers[0].filters.states[1]: must be two letters (did you mean QC?)',
    ],
    [
      'a state twice',
      sale('filters: { statesNot: [CA, ¶ca] }'),
      'partners[0].offers[0].filters.statesNot[1]: names "CA" for the second time',
    ],
    [
      'a range upside down',
      sale('filters: { debtAmount: { min: 5, max: ¶4 } }'),
      'partners[0].offers[0].filters.debtAmount.max: must not be less than "min"',
    ],
    [
      'a score',
      sale('filters: { minScore: ¶101 }'),
      'partners[0].offers[0].filters.minScore: must be a whole number from 0 to 100',
    ],
    [
      'yes for true',
      sale('filters: { requireEmail: ¶yes }'),
      'partners[0].offers[0].filters.requireEmail: must be true or false',
    ],
    [
      'a day of the week',
      sale('schedule: { days: [¶monday], from: "08:00", to: "20:00" }'),
      'partners[0].offers[0].schedule.days[0]: must be one of mon, tue, wed, thu, fri, sat, sun (did you mean "mon"?)',
    ],
    [
      'hours of no day',
      sale('schedule: { days: ¶[], from: "08:00", to: "20:00" }'),
      'partners[0].offers[0].schedule.days: must name at least one day',
    ],
    [
      'a time of three digits',
      sale('schedule: { days: [mon], from: ¶"8:00", to: "20:00" }'),
      `partners[0].offers[0].schedule.from: ${time}`,
    ],
    [
      'a beginning at the end of the day',
      sale('schedule: { days: [mon], from: ¶"24:00", to: "24:00" }'),
      `partners[0].offers[0].schedule.from: ${time}`,
    ],
    [
      'hours past midnight',
      sale('schedule: [{ days: [fri], from: "22:00", to: ¶"02:00" }]'),
      'partners[0].offers[0].schedule[0].to: must be later than "from"; hours past midnight are two entries, one of them to "24:00"',
    ],
    ['a schedule of nothing', sale('schedule: ¶[]'), 'partners[0].offers[0].schedule: must not be an empty list'],
    [
      'a sale with bookable hours',
      sale('booking: ¶{ availability: { days: [mon], from: "09:00", to: "12:00" } }'),
      'partners[0].offers[0].booking: belongs only to the event type Calendar Assigned',
    ],
    [
      'a booking without hours',
      offer('eventType: ¶Calendar Assigned, payout: 120'),
      'partners[0].offers[0].eventType: needs "booking", which says when calls can be booked',
    ],
    [
      'a slot longer than the hours',
      booking('availability: { days: [mon], from: "09:00", to: "09:30" }, slotMinutes: ¶45'),
      'partners[0].offers[0].booking.slotMinutes: leave no room: no entry of the availability is as long as a slot',
    ],
    [
      'bookable hours that overlap',
      booking(
        'availability: [{ days: [mon], from: "09:00", to: "12:00" },\n          ¶{ days: [mon, tue], from: "11:00", to: "13:00" }]',
      ),
      'partners[0].offers[0].booking.availability[1]: overlaps with entry 1 of this list',
    ],
    [
      'an offer key that another partner has',
      [
        'partners:',
        '  - { key: one, offers: [{ key: west, eventType: Lead Sale, payout: 1 }] }',
        '  - { key: two, offers: [{ key: ¶west, eventType: Lead Sale, payout: 1 }] }',
      ].join('\n'),
      'partners[1].offers[0].key: "west" is taken: partners[0].offers[0].key has it',
    ],
    [
      'several faults at once, in the order of the file',
      [
        'marketplace: { strategy: ¶best }',
        'suppliers:',
        '  - { key: acme, ¶statsu: approved }',
        'partners:',
        '  - key: summit',
        '    offers:',
        '      - key: west',
        '        eventType: Lead Sale',
        '        payout: ¶45.001',
        '  - key: ¶summit',
      ].join('\n'),
      'marketplace.strategy: must be one of price, weighted, round_robin',
      'suppliers[0].statsu: is not known here; did you mean "status"?',
      `partners[0].offers[0].payout: ${amount}`,
      'partners[1].key: "summit" is taken: partners[0].key has it',
    ],
  ];
  it.each(cases)('%s', (_, withMarks, ...faults) => {
    const { text, positions } = marked(withMarks);
    expect(faultsOf(text)).toEqual(faults.map((fault, index) => `${positions[index]} ${fault}`));
  });

  it('nesting deeper than the call stack', () => {
    const tooDeep = expect.stringMatching(/^1:\d+ .*: is nested too deeply$/) as unknown;
    expect(faultsOf('['.repeat(100_000))).toEqual([tooDeep]);
    expect(faultsOf('- '.repeat(100_000))).toEqual([tooDeep]);
    expect(faultsOf(`suppliers: ${'['.repeat(40)}${']'.repeat(40)}`)).toContainEqual(tooDeep);
  });

  it('aliases that expand to billions of values', () => {
    const lines = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1) {
      lines.push(`b${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    }
    const faults = faultsOf(lines.join('\n'));
    expect(faults.filter((fault) => fault.includes('its aliases stand for more than'))).toHaveLength(1);
  });

  it('a file of more than 32 MB', () => {
    expect(faultsOf(`# ${'ü'.repeat(16_000_000)}`)).toEqual(['1:1 : the file is larger than 32 MB']);
  });
});

describe('A marketplace file', () => {
  it('has defaults for what it leaves out', () => {
    const file = parsed(
      'suppliers: [{ key: acme }]\npartners: [{ key: summit, offers: [{ key: west, eventType: Lead Sale, payout: 45 }] }]',
    );
    expect(file.marketplace).toBeNull();
    expect(file.suppliers[0]).toEqual({
      supplierKey: 'acme',
      name: 'acme',
      status: 'pending',
      vertical: null,
      verticals: [],
      fieldMapping: {},
      callback: null,
      rateLimit: { perSecond: 100, burst: 200 },
      timeZone: 'UTC',
      pay: noPay,
    });
    expect(file.partners[0]?.settings).toEqual({});
    expect(file.partners[0]?.buyer).toMatchObject({
      status: 'active',
      timeZone: 'UTC',
      channels: [],
      billing: { mode: 'postpaid', creditLimitCents: null, ...defaultTerms },
      rateLimit: { perSecond: 10, burst: 20 },
      returnPolicy: { windowBusinessDays: 5, monthlyCaps: { leads: { percent: 10 } } },
    });
    expect(file.partners[0]?.offers[0]).toMatchObject({
      buyerKey: 'summit',
      name: 'west',
      payoutCents: 4500,
      sale: { kind: 'exclusive' },
      priority: 1,
      weight: 1,
      status: 'active',
      schedule: null,
      caps: { daily: null, weekly: null, monthly: null },
      pacing: 'asap',
      booking: null,
    });
  });

  it('with an empty map changes nothing', () => {
    expect(parsed('{}')).toMatchObject({ marketplace: null, suppliers: [], partners: [] });
  });

  it('is read with one order of lists whose order has no meaning', () => {
    const file = parsed(`${sale('filters: { states: [wa, CA] }')}    betaTools: [audit-log, timeline]\n`);
    expect(file.partners[0]?.buyer.betaTools).toEqual(['timeline', 'audit-log']);
    expect(file.partners[0]?.offers[0]?.filters.states).toEqual(['CA', 'WA']);
  });

  it('is read with the order of channels and of a mapping', () => {
    expect(parsed(partner('channels: [sms, email]')).partners[0]?.buyer.channels).toEqual(['sms', 'email']);
    const mapping = parsed(supplier('fieldMapping: { tel: phone, cell: phone, a: { to: email } }')).suppliers[0]
      ?.fieldMapping;
    expect(Object.entries(mapping ?? {})).toEqual([
      ['tel', 'phone'],
      ['cell', 'phone'],
      ['a', 'email'],
    ]);
  });

  it('contains only the settings that it states, null included', () => {
    const file = parsed(partner('settings: { webhookUrl: null, ccEmails: [], phone: "+1 555 555 0123" }'));
    expect(file.partners[0]?.settings).toEqual({ webhookUrl: null, ccEmails: [], phone: '+15555550123' });
  });

  it('may repeat parts of offers by anchors, aliases and merge keys, and an offer’s own members win', () => {
    const text = [
      'partners:',
      '  - key: summit',
      '    offers:',
      '      - &west { key: west, eventType: Lead Sale, payout: 45.50, caps: &caps { daily: 5 } }',
      '      - { <<: *west, key: east, caps: { <<: *caps, weekly: 20 } }',
    ].join('\n');
    expect(parsed(text).partners[0]?.offers[1]).toMatchObject({
      offerKey: 'east',
      payoutCents: 4550,
      caps: { daily: 5, weekly: 20, monthly: null },
    });
  });

  it('may have schedule hours that end with the day', () => {
    const file = parsed(sale('schedule: { days: [sun, mon], from: "00:00", to: "24:00" }'));
    expect(file.partners[0]?.offers[0]?.schedule).toEqual([{ days: ['mon', 'sun'], fromMinute: 0, toMinute: 1440 }]);
  });

  it('is read the same with Windows line ends and a byte order mark', () => {
    const text = partner('timeZone: Mars/Olympus\n    channels: [email]');
    const faults = faultsOf(text);
    expect(faults).toHaveLength(1);
    expect(faultsOf(text.replaceAll('\n', '\r\n'))).toEqual(faults);
    expect(faultsOf(`\ufeff${text}`)).toEqual(faults);
  });

  it('may contain an exempt development origin as an address', () => {
    const text = partner('settings: { webhookUrl: "http://127.0.0.1:9911/in" }');
    expect(parseFile(text, { allowTargets: ['http://127.0.0.1:9911'] }).ok).toBe(true);
    expect(parseFile(text, options).ok).toBe(false);
  });

  it('is valid as shipped with the service', async () => {
    const file = parsed(await readFile('examples/marketplace.yaml', 'utf8'));
    expect(file.suppliers).toHaveLength(3);
    expect(file.partners).toHaveLength(4);
    expect(file.offerPositions.size).toBe(8);
  });
});

describe('The parser returns a result or errors for', () => {
  it('any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        expect(typeof parseFile(text, options).ok).toBe('boolean');
      }),
    );
  });

  it('a file with its pieces shuffled, cut and repeated', async () => {
    const example = await readFile('examples/marketplace.yaml', 'utf8');
    const pieces = example.split(/(?<=[\s:,[\]{}"])/);
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc.constantFrom(
        '&a ',
        '*a',
        '<<: ',
        '? ',
        '- ',
        ': ',
        '\n',
        '  ',
        '{',
        '}',
        '[',
        ']',
        '!!str ',
        '|\n',
        '"',
        "'",
        '%',
        '0x1f',
        '1e9',
        '~',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.nat({ max: example.length }), (noise, at) => {
        const result = parseFile(example.slice(0, at) + noise.join('') + example.slice(at), options);
        if (result.ok) return;
        expect(result.errors.length).toBeGreaterThan(0);
        for (const { line, column } of result.errors) expect(line >= 1 && column >= 1).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('any JSON as a section', () => {
    fc.assert(
      fc.property(fc.constantFrom('marketplace', 'suppliers', 'partners'), fc.jsonValue(), (section, value) => {
        expect(typeof parseFile(JSON.stringify({ [section]: value }), options).ok).toBe('boolean');
      }),
    );
  });
});
