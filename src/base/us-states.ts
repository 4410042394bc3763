// The regions that a US mailing address can name: 50 states, DC, the five inhabited territories and the three military "states" (contract 3.3).

/** Two-letter code → full name. @public */
export const usStates: Readonly<Record<string, string>> = Object.freeze({
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
});

// Other ways in which forms and people write a region's name.
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'washington dc': 'DC',
  'washington, dc': 'DC',
  'virgin islands': 'VI',
  'united states virgin islands': 'VI',
  'commonwealth of the northern mariana islands': 'MP',
};

const CODES_BY_NAME = new Map([
  ...Object.entries(usStates).map(([code, name]) => [spelling(name), code] as const),
  ...Object.entries(OTHER_NAMES),
]);

/** Whether `code` is one of the codes, in capitals. */
export function isUsState(code: string): boolean {
  return Object.hasOwn(usStates, code);
}

/** A name or code in any case, with or without dots → the code; null for anything else. */
export function usStateCode(nameOrCode: string): string | null {
  const name = spelling(nameOrCode);
  // ASCII letters only: elsewhere toUpperCase invents codes, "ſ" becomes "S".
  if (/^[a-z]{2}$/.test(name)) return isUsState(name.toUpperCase()) ? name.toUpperCase() : null;
  return CODES_BY_NAME.get(name) ?? null;
}

function spelling(name: string): string {
  return name.trim().replaceAll('.', '').replaceAll(/\s+/g, ' ').toLowerCase();
}
