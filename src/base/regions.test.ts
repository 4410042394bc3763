import { describe, expect, it } from 'vitest';
import { countries, readRegion, regionCode, regionNames, type Regions } from './regions.ts';

describe('regions of the US and Canada', () => {
  it('are 59 of the US and 13 of Canada, each code once', () => {
    const us = Object.keys(regionNames(['US']));
    const canada = Object.keys(regionNames(['CA']));
    expect(us).toHaveLength(50 + 1 + 5 + 3);
    expect(canada).toEqual(['AB', 'BC', 'MB', 'NB', 'NL', 'NS', 'NT', 'NU', 'ON', 'PE', 'QC', 'SK', 'YT']);
    const all = regionNames(countries);
    expect(Object.keys(all)).toHaveLength(us.length + canada.length);
    expect(new Set(Object.values(all)).size).toBe(72);
    expect(regionNames('any')).toEqual(all);
    for (const code of [...us, ...canada]) expect(code).toMatch(/^[A-Z]{2}$/);
    for (const code of ['DC', 'AS', 'GU', 'MP', 'PR', 'VI', 'AA', 'AE', 'AP']) expect(us).toContain(code);
  });

  it.each<[string, Regions, string | null]>([
    ['CA', countries, 'CA'],
    ['ca', countries, 'CA'],
    ['ON', countries, 'ON'],
    ['qc', countries, 'QC'],
    ['BY', countries, null],
    ['ON', ['US'], null],
    ['TX', ['US'], 'TX'],
    ['TX', ['CA'], null],
    ['yt', ['CA'], 'YT'],
    ['by', 'any', 'BY'],
    ['XX', 'any', 'XX'],
    ['XX', countries, null],
    ['C', 'any', null],
    ['CAL', 'any', null],
    ['C1', 'any', null],
    ['ſd', 'any', null],
    ['Ontario', 'any', null],
    [' ON', 'any', null],
    ['ON\n', 'any', null],
    ['', 'any', null],
    ['FM', countries, null],
    ['toString', countries, null],
    ['constructor', countries, null],
  ])('contain the code %j among %j as %j', (text, regions, code) => {
    expect(readRegion(text, regions)).toBe(code);
  });

  it.each([
    ['California', 'CA'],
    ['  new   york ', 'NY'],
    ['WEST VIRGINIA', 'WV'],
    ['ca', 'CA'],
    ['D.C.', 'DC'],
    ['Washington, D.C.', 'DC'],
    ['District of Columbia', 'DC'],
    ['Washington', 'WA'],
    ['U.S. Virgin Islands', 'VI'],
    ['Virgin Islands', 'VI'],
    ['Puerto Rico', 'PR'],
    ['Northern Mariana Islands', 'MP'],
    ['armed forces pacific', 'AP'],
    ['Ontario', 'ON'],
    ['on', 'ON'],
    ['B.C.', 'BC'],
    ['Québec', 'QC'],
    ['Que\u0301bec', 'QC'],
    ['Newfoundland', 'NL'],
    ['Newfoundland & Labrador', 'NL'],
    ['P.E.I.', 'PE'],
    ['Île-du-Prince-Édouard', 'PE'],
    ['Nouvelle-Écosse', 'NS'],
    ['Yukon Territory', 'YT'],
    ['ſd', null],
    ['Bavaria', null],
    ['BY', null],
    ['Calif', null],
    ['', null],
    ['constructor', null],
  ])('contain the name %j under the code %j', (name, code) => {
    expect(regionCode(name)).toBe(code);
  });

  it('have a code for each name and each code', () => {
    for (const [code, name] of Object.entries(regionNames(countries))) {
      expect(regionCode(name)).toBe(code);
      expect(regionCode(code.toLowerCase())).toBe(code);
    }
  });
});
