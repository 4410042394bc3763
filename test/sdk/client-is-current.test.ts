// The client in sdk/typescript is what the generator makes of docs/openapi.json now; `npm run sdk` rewrites it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const REDOCLY = join(ROOT, 'node_modules/@redocly/cli/bin/cli.js');

describe('sdk/typescript/client.ts', () => {
  it('is generated from docs/openapi.json without manual changes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'leadmarket-sdk-'));
    try {
      const output = join(folder, 'client.ts');
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const command = [REDOCLY, 'generate-client', 'main', '--output', output];
      await promisify(execFile)(process.execPath, command, { cwd: ROOT, env });
      const committed = await readFile(join(ROOT, 'sdk/typescript/client.ts'), 'utf8');
      expect((await readFile(output, 'utf8')) === committed, '`npm run sdk` makes another client').toBe(true);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
