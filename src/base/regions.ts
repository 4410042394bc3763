// Reads the two-letter region of a lead: the regions of US and Canadian mailing addresses, or any two letters (contract 3.3).

/** 50 states, DC, the five inhabited territories and the three military "states". */
const US: Readonly<Record<string, string>> = {
  AL: 'Alabama',
  AK: 'Alaska',
  AZ: 'Arizona',
  AR: 'Arkansas',
  CA: 'California',
  CO: 'Colorado',
  CT: 'Connecticut',
  DE: 'Delaware',
  FL: 'Florida',
  GA: 'Georgia',
  HI: 'Hawaii',
  ID: 'Idaho',
  IL: 'Illinois',
  IN: 'Indiana',
  IA: 'Iowa',
  KS: 'Kansas',
  KY: 'Kentucky',
  LA: 'Louisiana',
  ME: 'Maine',
  MD: 'Maryland',
  MA: 'Massachusetts',
  MI: 'Michigan',
  MN: 'Minnesota',
  MS: 'Mississippi',
  MO: 'Missouri',
  MT: 'Montana',
  NE: 'Nebraska',
  NV: 'Nevada',
  NH: 'New Hampshire',
  NJ: 'New Jersey',
  NM: 'New Mexico',
  NY: 'New York',
  NC: 'North Carolina',
  ND: 'North Dakota',
  OH: 'Ohio',
  OK: 'Oklahoma',
  OR: 'Oregon',
  PA: 'Pennsylvania',
  RI: 'Rhode Island',
  SC: 'South Carolina',
  SD: 'South Dakota',
  TN: 'Tennessee',
  TX: 'Texas',
  UT: 'Utah',
  VT: 'Vermont',
  VA: 'Virginia',
  WA: 'Washington',
  WV: 'West Virginia',
  WI: 'Wisconsin',
  WY: 'Wyoming',
  DC: 'District of Columbia',
  AS: 'American Samoa',
  GU: 'Guam',
  MP: 'Northern Mariana Islands',
  PR: 'Puerto Rico',
  VI: 'U.S. Virgin Islands',
  AA: 'Armed Forces Americas',
  AE: 'Armed Forces Europe',
  AP: 'Armed Forces Pacific',
};

/** Ten provinces and three territories. No code is also one of the US. */
const CA: Readonly<Record<string, string>> = {
  AB: 'Alberta',
  BC: 'British Columbia',
  MB: 'Manitoba',
  NB: 'New Brunswick',
  NL: 'Newfoundland and Labrador',
  NS: 'Nova Scotia',
  NT: 'Northwest Territories',
  NU: 'Nunavut',
  ON: 'Ontario',
  PE: 'Prince Edward Island',
  QC: 'Quebec',
  SK: 'Saskatchewan',
  YT: 'Yukon',
};

export const countries = ['US', 'CA'] as const;
export type Country = (typeof countries)[number];
/** The countries whose regions are accepted, in the order of `countries`, or any two letters. */
export type Regions = readonly Country[] | 'any';

const NAMES: Readonly<Record<Country, Readonly<Record<string, string>>>> = { US, CA };

// Other spellings of region names in forms and input.
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'washington dc': 'DC',
  'washington, dc': 'DC',
  'virgin islands': 'VI',
  'united states virgin islands': 'VI',
  'commonwealth of the northern mariana islands': 'MP',
  newfoundland: 'NL',
  labrador: 'NL',
  'newfoundland & labrador': 'NL',
  'terre-neuve-et-labrador': 'NL',
  'colombie-britannique': 'BC',
  'nouveau-brunswick': 'NB',
  'nouvelle-ecosse': 'NS',
  'ile-du-prince-edouard': 'PE',
  pei: 'PE',
  'territoires du nord-ouest': 'NT',
  nwt: 'NT',
  'yukon territory': 'YT',
};

const codesByName = new Map([
  ...countries.flatMap((country) =>
    Object.entries(NAMES[country]).map(([code, name]) => [spelling(name), code] as const),
  ),
  ...Object.entries(OTHER_NAMES),
]);

/** Two-letter code → full name; for `any` the known names. @public */
export function regionNames(regions: Regions): Readonly<Record<string, string>> {
  return Object.assign({}, ...(regions === 'any' ? countries : regions).map((country) => NAMES[country])) as Record<
    string,
    string
  >;
}

/** Two letters in any case → the code in capitals, if it is one of the regions; null for anything else. */
export function readRegion(text: string, regions: Regions): string | null {
  // ASCII letters only: elsewhere toUpperCase invents codes, "ſ" becomes "S".
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  return regions === 'any' || regions.some((country) => Object.hasOwn(NAMES[country], code)) ? code : null;
}

/** A name or code of a US or Canadian region in any case, with or without dots and accents → the code; null for anything else. */
export function regionCode(nameOrCode: string): string | null {
  const name = spelling(nameOrCode);
  return readRegion(name, countries) ?? codesByName.get(name) ?? null;
}

function spelling(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/[\u0300-\u036f.]/g, '');
  return plain.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}
