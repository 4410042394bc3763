// The invented leads of the demo's history, in a fixed order, so that every demo is the same. Phone numbers are from the 555-01xx block
// and domains are reserved for examples, so none belongs to a real person.

const FIRST = [
  'Jordan',
  'Avery',
  'Riley',
  'Casey',
  'Morgan',
  'Quinn',
  'Rowan',
  'Skyler',
  'Emerson',
  'Hayden',
  'Parker',
];
const LAST = ['Rivera', 'Nakamura', 'Okafor', 'Lindqvist', 'Haddad', 'Moreau', 'Castellanos', 'Whitfield', 'Abara'];
const AREAS: ReadonlyArray<readonly [string, string]> = [
  ['CA', '213'],
  ['TX', '512'],
  ['NY', '212'],
  ['OR', '503'],
  ['IL', '312'],
  ['FL', '305'],
  ['WA', '206'],
  ['OH', '614'],
  ['GA', '404'],
  ['CO', '303'],
];
const SOURCES = ['search-debt-west', 'social-relief', 'partner-newsletter', 'display-retarget'];
const AMOUNTS = ['8200', '12500', '16800', '24500.50', '31000', '47250', '64000', '5900'];

/**
 * The body of lead number `index` of the history, as posted by a supplier with the standard fields. Most are good; some are incomplete or
 * mistyped, duplicates, or match no offer.
 */
export function demoLead(index: number, submittedAt: Date): Record<string, unknown> {
  const lead = goodLead(index, submittedAt);
  if (index % 12 === 5) return { ...lead, ...pick(MISTAKES, Math.trunc(index / 12)) };
  if (index % 15 === 11) return { ...lead, ...personOf(goodLead(index - 4, submittedAt)) };
  if (index % 21 === 16) return { ...lead, state: 'HI', debt_amount: '1800' };
  return lead;
}

/** Typical mistakes of forms and scripts. */
const MISTAKES: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  { phone: '555-0123' },
  { email: 'not.given', phone: null },
  { state: 'Californa' },
  { consent_timestamp: '11/21/2026 10:04' },
  { debt_amount: 'about 20k' },
  { full_name: ' ', email: 'jordan@' },
];

function personOf({ full_name, email, phone }: Record<string, unknown>): Record<string, unknown> {
  return { full_name, email, ...(phone === undefined ? {} : { phone }) };
}

function goodLead(index: number, submittedAt: Date): Record<string, unknown> {
  const first = pick(FIRST, index);
  const last = pick(LAST, index * 7 + 3);
  const [state, area] = pick(AREAS, index * 3 + Math.trunc(index / AREAS.length));
  const line = String(100 + (index % 100));
  const source = pick(SOURCES, index * 5);
  // The second hundred leads have another exchange, so that no number repeats.
  const exchange = String(555 - Math.trunc(index / 100));
  return {
    external_id: `demo-${String(index).padStart(4, '0')}`,
    full_name: `${first} ${last}`,
    email: `${first}.${last}.${index}@example.com`.toLowerCase(),
    // One in nine has no phone number, which lowers the score and excludes some buyers.
    ...(index % 9 === 8 ? {} : { phone: `+1${area}${exchange}0${line}` }),
    state,
    debt_amount: pick(AMOUNTS, index * 11 + 1),
    source,
    consent_timestamp: new Date(submittedAt.getTime() - 40_000).toISOString(),
    source_form_url: `https://forms.example.com/debt-relief?utm_source=${source}`,
    lead_ip: `203.0.113.${index % 250}`,
    consent_version: 'v3',
  };
}

function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item;
}
