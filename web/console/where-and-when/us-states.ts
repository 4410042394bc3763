// The US states and the District of Columbia: their names, and their tiles in the usual grid of 11 columns and 8 rows.

export type StateTile = { readonly code: string; readonly name: string; readonly column: number; readonly row: number };

const NAMES: Readonly<Record<string, string>> = {
  ...{ AK: 'Alaska', AL: 'Alabama', AR: 'Arkansas', AZ: 'Arizona', CA: 'California', CO: 'Colorado' },
  ...{ CT: 'Connecticut', DC: 'District of Columbia', DE: 'Delaware', FL: 'Florida', GA: 'Georgia', HI: 'Hawaii' },
  ...{ IA: 'Iowa', ID: 'Idaho', IL: 'Illinois', IN: 'Indiana', KS: 'Kansas', KY: 'Kentucky', LA: 'Louisiana' },
  ...{ MA: 'Massachusetts', MD: 'Maryland', ME: 'Maine', MI: 'Michigan', MN: 'Minnesota', MO: 'Missouri' },
  ...{ MS: 'Mississippi', MT: 'Montana', NC: 'North Carolina', ND: 'North Dakota', NE: 'Nebraska' },
  ...{ NH: 'New Hampshire', NJ: 'New Jersey', NM: 'New Mexico', NV: 'Nevada', NY: 'New York', OH: 'Ohio' },
  ...{ OK: 'Oklahoma', OR: 'Oregon', PA: 'Pennsylvania', RI: 'Rhode Island', SC: 'South Carolina' },
  ...{ SD: 'South Dakota', TN: 'Tennessee', TX: 'Texas', UT: 'Utah', VA: 'Virginia', VT: 'Vermont' },
  ...{ WA: 'Washington', WI: 'Wisconsin', WV: 'West Virginia', WY: 'Wyoming' },
};

const GRID = [
  'AK .. .. .. .. .. .. .. .. .. ME',
  '.. .. .. .. .. .. .. .. .. VT NH',
  'WA ID MT ND MN IL WI MI NY RI MA',
  'OR NV WY SD IA IN OH PA NJ CT ..',
  'CA UT CO NE MO KY WV VA MD DE ..',
  '.. AZ NM KS AR TN NC SC DC .. ..',
  '.. .. .. OK LA MS AL GA .. .. ..',
  'HI .. .. TX .. .. .. .. FL .. ..',
];

export const STATE_TILES: readonly StateTile[] = GRID.flatMap((line, row) =>
  line.split(' ').flatMap((code, column) => {
    const name = NAMES[code];
    return name === undefined ? [] : { code, name, column: column + 1, row: row + 1 };
  }),
);

/** The name of a state, or what was given instead of one. */
export function stateName(code: string | null): string {
  return code === null ? '(none)' : (NAMES[code] ?? code);
}
