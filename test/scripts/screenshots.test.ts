// Runs `npm run screenshots` for one picture of each application.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { PNG } from 'pngjs';
import { afterAll, describe, expect, it } from 'vitest';

import { hasNoChromium } from '../support/browser/chromium.ts';
import { isDrawn } from '../support/drawn.ts';
import { endScripts, runScript } from '../support/npm-script.ts';

const IMAGES = join(import.meta.dirname, '../../docs/images');
const NAMES = ['partner-overview', 'console-offer'];

afterAll(endScripts);

describe.skipIf(hasNoChromium())('npm run screenshots', () => {
  it.skipIf(!isDrawn('scripts/screenshots', 3, 'docs/screenshots.ts'))(
    'takes the pictures that are named',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'leadmarket-pictures-'));
      try {
        const { code, output } = await runScript('screenshots', ['--only', NAMES.join(), '--out', folder]);
        expect({ code, output }).toMatchObject({ code: 0 });
        expect(readdirSync(folder).toSorted()).toEqual(NAMES.map((name) => `${name}.png`).toSorted());
        for (const name of NAMES) {
          const [fresh, kept] = [folder, IMAGES].map((path) => PNG.sync.read(readFileSync(join(path, `${name}.png`))));
          expect([fresh?.width, fresh?.height]).toEqual([kept?.width, kept?.height]);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
