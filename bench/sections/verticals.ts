// Measures what verticals cost routing in Node: reading the fields of a lead and deciding on it among 1,000 offers, with and without own fields.
import type { LeadId } from '../../src/base/ids.ts';
import type { Buyer } from '../../src/buyers/buyer.ts';
import { prepareSubmission } from '../../src/leads/ingest-lead.ts';
import type { LeadFields } from '../../src/leads/lead-fields.ts';
import { verticalsOf } from '../../src/leads/supplier-verticals.rules.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { defaultSettings } from '../../src/marketplace/settings.ts';
import { cachedSpans } from '../../src/routing/availability.rules.ts';
import { decideBatch } from '../../src/routing/decide-batch.rules.ts';
import { factsOf } from '../../src/routing/lead-facts.ts';
import { cachedLocalDays } from '../../src/routing/local-day.rules.ts';
import { makeOfferIndex, type OfferIndex } from '../../src/routing/offer-index.rules.ts';
import { compileFieldMapping } from '../../src/suppliers/field-mapping.rules.ts';
import { states } from '../support/market.ts';
import { median, shown } from '../support/numbers.ts';
import type { BenchOptions } from '../support/options.ts';
import { untilQuiet } from '../support/quiet.ts';
import type { Section } from '../support/report.ts';

const VERTICALS = 10;
const FIELDS = 40;
const OFFERS = 1000;
const LEADS = 250;
const BATCHES = 40;
const FILTERED = 4;

/** One market: its offers, and the stored fields of its leads as JSON. */
type Market = { readonly offerIndex: OfferIndex; readonly leads: readonly string[]; readonly bytes: number };

export async function measureVerticals({ rounds, patience, progress }: BenchOptions): Promise<Section> {
  const now = new Date();
  const [without, withOwn] = [marketOf(false, now), marketOf(true, now)];
  const found: Array<{ readonly before: number; readonly after: number }> = [];
  for (let round = 0; round < rounds; round += 1) {
    await untilQuiet(patience);
    found.push({ before: timeRouting(without, now), after: timeRouting(withOwn, now) });
    progress(`verticals: ${found.at(-1)?.before.toFixed(1)} and ${found.at(-1)?.after.toFixed(1)} µs per lead`);
  }
  const differences = found.map(({ before, after }) => after - before);
  const row = (name: string, { bytes }: Market, times: readonly number[]): string[] => [
    name,
    shown(bytes),
    median(times).toFixed(1),
  ];
  return {
    name: 'verticals',
    title: 'Verticals',
    notes: [
      `Processor time in Node to read the stored fields of a lead and to decide on it among ${OFFERS} offers with standard filters, and in a marketplace of`,
      `${VERTICALS} verticals with ${FIELDS} fields each, whose offers filter on ${FILTERED} of them besides, in interleaved rounds.`,
      `The second takes ${median(differences).toFixed(1)} µs more than the first (median of ${rounds} rounds), to be compared with what routing costs as a whole: see “Routing alone”.`,
    ],
    tables: [
      {
        title: 'Per lead',
        columns: ['marketplace', 'bytes of fields', 'µs'],
        rows: [
          row(
            'without verticals',
            without,
            found.map(({ before }) => before),
          ),
          row(
            'with verticals',
            withOwn,
            found.map(({ after }) => after),
          ),
        ],
      },
    ],
    data: found,
  };
}

const fieldName = (number: number): string => `field_${number}`;

/** Numbers, choices, amounts and texts in turn. */
function fieldOf(number: number): object {
  const name = fieldName(number);
  const kinds = [
    { name, type: 'integer' },
    { name, type: 'enum', values: ['low', 'middle', 'high'] },
    { name, type: 'money' },
    { name, type: 'text' },
  ];
  return kinds[number % kinds.length] ?? {};
}

function filtersOf(number: number): object {
  return {
    [fieldName(0)]: { min: number % 50 },
    [fieldName(1)]: { in: ['low', 'high'] },
    [fieldName(2)]: { max: 900 + (number % 100) },
    [fieldName(4)]: { notIn: [number % 7] },
  };
}

function valueOf(number: number, lead: number): unknown {
  const values = [(lead * 7) % 100, ['low', 'middle', 'high'][lead % 3], (lead * 13) % 1000, `text of lead ${lead}`];
  return values[number % values.length];
}

function marketOf(hasVerticals: boolean, now: Date): Market {
  const keys = hasVerticals ? Array.from({ length: VERTICALS }, (_, number) => `vertical-${number}`) : [];
  const parsed = parseFile(
    JSON.stringify({
      verticals: keys.map((key) => ({ key, fields: Array.from({ length: FIELDS }, (_, number) => fieldOf(number)) })),
      suppliers: [{ key: 'bench', status: 'approved', verticals: keys }],
      partners: Array.from({ length: OFFERS }, (_, number) => ({
        key: `partner-${number}`,
        offers: [
          {
            key: `offer-${number}`,
            eventType: 'Lead Sale',
            payout: 10 + (number % 90),
            ...(hasVerticals ? { vertical: keys[number % keys.length] } : {}),
            filters: {
              states: [states[number % states.length], states[(number * 7) % states.length]].filter(
                (state, index, both) => both.indexOf(state) === index,
              ),
              debtAmount: { min: 1000 + (number % 50) * 100 },
              minScore: number % 40,
              ...(hasVerticals ? { fields: filtersOf(number) } : {}),
            },
          },
        ],
      })),
    }),
    { allowTargets: [] },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors.slice(0, 3)));
  const { verticals, suppliers, partners } = parsed.file;
  const [supplier] = suppliers;
  if (supplier === undefined) throw new Error('the market has no supplier');
  const context = {
    supplierKey: 'bench',
    mapping: compileFieldMapping({}),
    regions: defaultSettings.regions,
    weights: defaultSettings.scoreWeights,
    returnRate: 0,
    verticals: verticalsOf(supplier, new Map(verticals.map((vertical) => [vertical.key, vertical]))),
  };
  const leads = Array.from({ length: LEADS }, (_, lead) => {
    const own = Array.from({ length: FIELDS }, (__, number) => [fieldName(number), valueOf(number, lead)] as const);
    const members = {
      full_name: 'Jordan Rivera',
      email: `person-${lead}@example.com`,
      phone: '+15555550123',
      state: states[lead % states.length],
      debt_amount: String(2000 + lead * 10),
      ...(hasVerticals ? { vertical: keys[lead % keys.length], ...Object.fromEntries(own) } : {}),
    };
    const { fields, reason } = prepareSubmission({ members, text: '{}' }, context, now);
    if (fields === null) throw new Error(reason ?? '');
    return fields;
  });
  const buyers = partners.map(({ buyer, settings: _settings }): [string, Buyer] => [
    buyer.buyerKey,
    { ...buyer, settings: {}, endpointDisabledAt: null, fundsPausedAt: null } as unknown as Buyer,
  ]);
  return {
    offerIndex: makeOfferIndex(
      1,
      partners.flatMap(({ offers }) => offers),
      new Map(buyers),
    ),
    leads,
    bytes: Math.round(leads.reduce((sum, text) => sum + text.length, 0) / leads.length),
  };
}

/** Microseconds of processor per lead over the batches of the second half: the first half warms up. */
function timeRouting({ offerIndex, leads }: Market, now: Date): number {
  const calendar = { spanOf: cachedSpans(), dayOf: cachedLocalDays() };
  const times: number[] = [];
  for (let batch = 0; batch < 2 * BATCHES; batch += 1) {
    const began = process.cpuUsage();
    const read = leads.map((text, index) => {
      const fields = JSON.parse(text) as LeadFields;
      const number = batch * LEADS + index;
      return {
        leadId: `01900000-0000-7000-8000-${String(number).padStart(12, '0')}` as LeadId,
        ...{ externalId: null, isTest: false, receivedAt: now.getTime(), requestedSlot: null },
        facts: factsOf({ fields, score: 70, supplierKey: 'bench' }),
        identities: [`${2 * number}`, `${2 * number + 1}`],
        buyersBefore: new Set<string>(),
        listed: [],
      };
    });
    decideBatch(read, {
      ...{ now, offerIndex, calendar, holdMs: 3_600_000, strategy: 'price', blocksRepeats: true },
      ...{ readings: () => () => null, failing: new Map(), funds: new Map() },
      ...{ sales: new Map(), turns: new Map(), slots: new Map() },
    });
    const { user, system } = process.cpuUsage(began);
    if (batch >= BATCHES) times.push((user + system) / LEADS);
  }
  return median(times);
}
