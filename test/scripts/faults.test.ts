// Runs the faults of `npm run test:faults` in their smallest form: another one for each commit, all with `DRAW=all`.

import { afterAll, describe, expect, it } from 'vitest';

import { faults } from '../faults/rounds/faults.ts';
import { drawItems } from '../support/drawn.ts';
import { endScripts, runScript } from '../support/npm-script.ts';

const names = faults.map(({ name }) => name);
const drawn = drawItems('faults', names, 1);

afterAll(endScripts);

describe('npm run test:faults', () => {
  it('finds that every promise holds in a tiny round', { timeout: 900_000 }, async () => {
    const { code, output } = await runScript('test:faults', ['--tiny', '--only', drawn.join()]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Everything holds.') as string });
  });
});
