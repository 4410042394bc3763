import { describe, expect, it } from 'vitest';

import { FIRST_ID, firstIdOf, timeOfId } from './id-time.ts';
import { newUuid } from './ids.ts';

describe('firstIdOf and timeOfId', () => {
  it('place an instant before the ids made in it and after the ids made before', () => {
    const before = newUuid();
    const made = Number.parseInt(before.replaceAll('-', '').slice(0, 12), 16);
    expect(firstIdOf(new Date(made)) <= before).toBe(true);
    expect(firstIdOf(new Date(made + 1)) > before).toBe(true);
    expect(FIRST_ID < firstIdOf(new Date(made))).toBe(true);
  });

  it.each([
    ['1970-01-01T00:00:00.000Z', '00000000-0000-0000-0000-000000000000'],
    ['2026-11-20T00:00:00.000Z', '01a1f640-bc00-0000-0000-000000000000'],
    ['1969-01-01T00:00:00.000Z', '00000000-0000-0000-0000-000000000000'],
  ])('turn the instant %s into the id %s', (at, id) => {
    expect(firstIdOf(new Date(at))).toBe(id);
  });

  it('read the millisecond in which an id was made', () => {
    const at = new Date('2026-11-20T18:00:00.123Z');
    expect(timeOfId(firstIdOf(at))).toEqual(at);
  });
});
