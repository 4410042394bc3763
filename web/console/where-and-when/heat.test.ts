import { describe, expect, it } from 'vitest';

import { type HeatName, heatsOf, largestOf, levelOf } from './heat.ts';
import { STATE_TILES, stateName } from './us-states.ts';

const heat = (name: HeatName, isOfPartner = false) => {
  const found = heatsOf({ isOfPartner }).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no measure ${name}`);
  return found;
};

describe('the tiles of the states', () => {
  it('have each state and the District of Columbia once, on a square of its own', () => {
    expect(STATE_TILES).toHaveLength(51);
    expect(new Set(STATE_TILES.map(({ code }) => code)).size).toBe(51);
    expect(new Set(STATE_TILES.map(({ row, column }) => `${row} ${column}`)).size).toBe(51);
    expect(Math.max(...STATE_TILES.map(({ column }) => column))).toBe(11);
  });

  it('name states, and show other texts as they are', () => {
    expect([stateName('CA'), stateName('Baja'), stateName(null)]).toEqual(['California', 'Baja', '(none)']);
  });
});

describe('the measures', () => {
  it.each<[HeatName, number | null, string]>([
    ['volume', 0, '0'],
    ['volume', 999, '999'],
    ['volume', 1234, '1.2K'],
    ['volume', 9999, '10K'],
    ['volume', 123_456, '123K'],
    ['revenue', 12.34, '$12'],
    ['revenue', 999.6, '$1K'],
    ['revenue', 11_240, '$11K'],
    ['revenue', 999_999, '$1M'],
    ['averagePrice', null, '–'],
    ['unsoldShare', 0.375, '38%'],
    ['unsoldShare', 1, '100%'],
  ])('%s: %s is %s in a tile', (name, value, short) => {
    expect(heat(name).inShort(value, 'USD')).toBe(short);
    expect(short.length).toBeLessThanOrEqual(6);
  });

  it('show the unsold share of decided leads, and none where none is decided', () => {
    expect(heat('unsoldShare').valueOf({ sellThrough: 0.75 })).toBe(0.25);
    expect(heat('unsoldShare').valueOf({ sellThrough: null })).toBeNull();
  });

  it('count deliveries instead of leads for one partner, which has no unsold leads', () => {
    expect(heat('volume').valueOf({ submitted: 5, deliveries: 7 })).toBe(5);
    expect(heat('volume', true).valueOf({ submitted: null, deliveries: 7 })).toBe(7);
    expect(heatsOf({ isOfPartner: true }).map(({ name }) => name)).toEqual(['volume', 'revenue', 'averagePrice']);
  });
});

describe('levelOf', () => {
  it.each([
    [null, 10, 0],
    [0, 10, 0],
    [-3, 10, 0],
    [0.01, 10, 1],
    [2, 10, 1],
    [2.1, 10, 2],
    [10, 10, 5],
    [5, 0, 0],
  ])('%s of %s is level %s', (value, largest, level) => {
    expect(levelOf(value, largest)).toBe(level);
  });

  it('takes the largest of values, of which some may be missing', () => {
    expect([largestOf([null, 3, 2]), largestOf([null]), largestOf([])]).toEqual([3, 0, 0]);
  });
});
