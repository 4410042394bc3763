// The webhook receivers offered in the portal accept the service's messages and reject others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { RECEIVERS } from '../../web/portal/buyer/settings/receivers.ts';
import { missingFor } from '../docs/run-sample.ts';
import { eventually } from '../support/eventually.ts';
import { type HeldPort, holdPort } from '../support/held-port.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const RUNS = {
  node: { language: 'js', command: (_port: number, file: string) => [process.execPath, file] },
  python: { language: 'python', command: (_port: number, file: string) => ['python3', file] },
  php: { language: 'php', command: (port: number, file: string) => ['php', '-n', '-S', `127.0.0.1:${port}`, file] },
} as const;
type Name = keyof typeof RUNS;
const NAMES = Object.keys(RUNS) as Name[];

let market: TestMarketplace;
let folder: string;
const ports = new Map<Name, HeldPort>();
const portOf = (name: Name): number => ports.get(name)?.port ?? 0;

beforeAll(async () => {
  for (const name of NAMES) ports.set(name, await holdPort());
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-receivers-'));
  const partners = NAMES.map(
    (name) => `  - { key: ${name}, timeZone: UTC, channels: [webhook], betaTools: [test-delivery],
      settings: { webhookUrl: "http://127.0.0.1:${portOf(name)}/leads" } }`,
  );
  market = await startTestMarketplace({
    yaml: `partners:\n${partners.join('\n')}\n`,
    role: 'api',
    allowTargets: NAMES.map((name) => `http://127.0.0.1:${portOf(name)}`),
  });
});
afterAll(async () => {
  await market.close();
  for (const port of ports.values()) await port.release();
  await rm(folder, { recursive: true, force: true });
});

async function withReceiver(name: Name, work: (url: string, secret: string) => Promise<void>): Promise<void> {
  const port = portOf(name);
  const { file, code } = RECEIVERS[name];
  await writeFile(join(folder, file), code);
  const secret = await market.secretOf(name);
  const [program = '', ...options] = RUNS[name].command(port, file);
  const path = `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
  const env = { PATH: path, LANG: 'C.UTF-8', PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(program, options, { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'close');
  try {
    const url = `http://127.0.0.1:${port}/leads`;
    await eventually('the receiver answers', () => isListening(url));
    await work(url, secret);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

async function isListening(url: string): Promise<boolean> {
  const response = await fetch(url, { method: 'POST', body: 'x' }).catch(() => null);
  return response?.status === 401;
}

describe.each(NAMES)('the webhook receiver in %s', (name) => {
  const missing = missingFor(RUNS[name].language);
  if (missing !== null) console.warn(`the receiver in ${name} is not run, because there is no ${missing} here`);

  it.skipIf(missing !== null)('accepts a test from the portal', async () => {
    const buyer: SignedIn = await market.signedIn.buyer(name);
    await withReceiver(name, async () => {
      const { json } = await buyer.send('POST', '/portal/api/buyer/test-delivery', { target: 'webhook' });
      expect(json).toMatchObject({ delivered: true, responseCode: 200, responseSnippet: 'taken' });
    });
  });

  it.skipIf(missing !== null)(
    'rejects old or changed messages and foreign signatures, and accepts one of two signatures',
    async () => {
      await withReceiver(name, async (url, secret) => {
        const body = JSON.stringify({ type: 'lead.test', timestamp: '2026-11-21T00:00:00.000Z', data: {} });
        const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
        const send = async (at: Date, secrets: readonly string[], sent = body): Promise<number> => {
          const headers = {
            'content-type': 'application/json',
            'webhook-id': 'msg_1',
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': secrets.map((one) => new Webhook(one).sign('msg_1', at, body)).join(' '),
          };
          return (await fetch(url, { method: 'POST', headers, body: sent })).status;
        };
        const now = new Date();
        expect(await send(now, [secret])).toBe(200);
        expect(await send(now, [other, secret])).toBe(200);
        expect(await send(now, [other])).toBe(401);
        expect(await send(now, [])).toBe(401);
        expect(await send(now, [secret], body.replace('lead.test', 'lead.fake'))).toBe(401);
        expect(await send(new Date(now.getTime() - 3_600_000), [secret])).toBe(401);
      });
    },
  );
});
