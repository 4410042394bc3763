// Runs the scripts of package.json that are runs of tests themselves, each with a few tests and small numbers; one of them for each commit.
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, inject, it } from 'vitest';

import { drawItems } from '../support/drawn.ts';
import { endScripts, runScript } from '../support/npm-script.ts';
import { OLDEST } from '../support/oldest-engine.ts';

const folder = mkdtempSync(join(tmpdir(), 'leadmarket-runs-'));
const FILE = 'src/base/money.test.ts';

type Small = { readonly args: readonly string[]; readonly env?: Readonly<Record<string, string>> };

const SMALL: Readonly<Record<string, Small>> = {
  'test:unit': { args: [FILE] },
  coverage: {
    args: ['--project', 'rules', FILE, '--coverage.reportsDirectory', folder, '--coverage.reporter', 'json-summary'],
  },
  'test:fuzz': { args: ['--requests', '600', '--seed', '7'] },
  'test:money': { args: [], env: { MONEY_OPERATIONS: '3000', MONEY_BATCH: '40' } },
  // On a server of its own.
  ...(existsSync(OLDEST) ? { 'test:oldest': { args: ['test/schema.test.ts'], env: { TEST_DATABASE_URL: '' } } } : {}),
  'test:upgrades': { args: [], env: { UPGRADE_FROM: 'last' } },
};
const FILES: Readonly<Record<string, string>> = { 'test:fuzz': 'bin/test-fuzz.mjs', coverage: 'vitest.config.ts' };
const drawn = drawItems('runs', Object.keys(SMALL), 1, (script) => FILES[script] ?? 'no file of its own');

afterAll(() => {
  endScripts();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run', () => {
  it.each(drawn)('%s passes with small numbers', async (script) => {
    const { args = [], env } = SMALL[script] ?? {};
    // The databases of this run's server.
    const { code, output } = await runScript(script, args, { TEST_DATABASE_URL: inject('postgres').url, ...env });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/^[1-9]\d* passed, 0 failed/m) as string,
    });
    if (script === 'coverage') expect(readdirSync(folder)).toContain('coverage-summary.json');
  });
});
