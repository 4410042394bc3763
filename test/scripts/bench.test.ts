// Runs a section of the benchmark in its smallest form: another one for each commit, and those that the change touches.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, describe, expect, it } from 'vitest';

import { drawItems } from '../support/drawn.ts';
import { endScripts, runScript } from '../support/npm-script.ts';

const ROOT = join(import.meta.dirname, '../..');
const sections = readdirSync(join(ROOT, 'bench/sections')).map((file) => file.slice(0, -'.ts'.length));
const drawn = drawItems('bench', sections, 1, (name) => `bench/sections/${name}.ts`);

afterAll(endScripts);

describe('npm run bench', () => {
  it('has the sections of bench/sections and no others', async () => {
    const { output } = await runScript('bench', ['nothing']);
    const known = /there are (.*)\.$/m.exec(output)?.[1]?.split(', ');
    expect(known?.toSorted()).toEqual(sections.toSorted());
  });

  it.each(drawn)('measures %s with tiny numbers', async (section) => {
    const { code, output } = await runScript('bench', [section, '--tiny', '--cores', 'all']);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/^\|.*\|$/m) as string });
    expect(output).not.toMatch(/NaN|undefined/);
  });
});
