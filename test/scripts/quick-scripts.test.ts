// Runs the scripts of package.json that take a moment: build, prepare, pretest, format, and the arguments of the long ones.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { endScripts, runScript } from '../support/npm-script.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadmarket-scripts-'));
});
afterAll(() => {
  endScripts();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run', () => {
  it.each(['build', 'prepare'])('%s builds the pages of these sources, or finds them built', async (script) => {
    expect(await runScript(script)).toMatchObject({ code: 0 });
    const pages = read('web/dist/console.html');
    expect(pages).toContain(`content="${read('web/dist/.made-of').slice(0, 16)}"`);
  });

  it('pretest says that the browser is missing, and only then', async () => {
    const withOne = await runScript('pretest', [], { CHROMIUM: process.execPath });
    expect(withOne.code).toBe(0);
    expect(withOne.output).not.toContain('Chromium');
    const { code, output } = await runScript('pretest', [], { CHROMIUM: join(folder, 'nothing') });
    expect(code).toBe(0);
    expect(output).toContain('No Chromium here');
  });

  it('format rewrites a file as the project formats it', async () => {
    const file = join(folder, 'untidy.ts');
    writeFileSync(file, 'export const text = "1"\n');
    expect(await runScript('format', ['--config', join(ROOT, '.oxfmtrc.json'), file])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe("export const text = '1';\n");
  });

  it('schema, file-schema, openapi and third-party rewrite what tests of `npm cit` compare', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const name of ['schema', 'file-schema', 'openapi', 'third-party']) {
      const files = [...(scripts[name] ?? '').matchAll(/(\S+\.test\.ts) --update/g)].map(([, file = '']) => file);
      expect(files.length, name).toBeGreaterThan(0);
      for (const file of files) expect(read(file), file).toContain('toMatchFileSnapshot(');
    }
  });

  it.each([
    ['bench', ['nothing'], 'There is no section nothing; there are ingest, '],
    ['test:faults', ['--only', 'nothing'], 'There is no fault nothing; there are kill, '],
    ['test:cluster', ['--only', 'nothing'], 'There is no fault nothing; there are kill, '],
    ['test:release', ['--only', 'nothing'], 'There is no part nothing; there are archives, '],
  ])('%s says which parts there are', async (script, args, sentence) => {
    const { code, output } = await runScript(script, args);
    expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining(sentence) as string });
  });
});
