// Tests a backup of an embedded database that takes leads meanwhile, and a service on the restored database.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody } from '../support/leads.ts';
import { killServers, makeDataDir, openMarketplace, runLeadmarket, startServer } from '../support/server-process.ts';

const YAML = `
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    channels: []
    offers: [{ key: summit-all, eventType: Lead Sale, payout: 45.00 }]
`;

const folder = mkdtempSync(join(tmpdir(), 'leadmarket-backups-'));
chmodSync(folder, 0o755);
const [first, second] = [makeDataDir(), makeDataDir()];
afterAll(async () => {
  await killServers();
  for (const { remove } of [first, second]) remove();
  rmSync(folder, { recursive: true });
});

describe('A backup under load', () => {
  it('contains every lead acknowledged before it began, and its restored service charges none twice', async () => {
    const env = { DATA_DIR: first.path };
    const server = await startServer(env);
    const key = await openMarketplace(env, YAML, { keyFor: 'acme' });
    const supplier = connectSupplier(server.url, { key, connections: 2 });
    const acknowledged = new Set<string>();
    let isOver = false;
    let serial = 0;
    // Slowly, so that one list shows them all.
    const posting = Array.from({ length: 2 }, async () => {
      while (!isOver && serial < 900) {
        await sleep(40);
        const response = await supplier.post(leadBody((serial += 1)));
        expect(response.status).toBe(202);
        acknowledged.add(response.json.lead_id);
      }
    });
    await eventually('leads are coming in', () => acknowledged.size >= 50);
    const before = new Set(acknowledged);
    const file = join(folder, 'under-load.backup');
    const backup = await runLeadmarket(env, 'backup', file, '--json');
    expect(backup.json).toMatchObject({ file, rows: expect.any(Number) as number });
    await eventually('leads go on coming in', () => acknowledged.size > before.size + 20 || serial >= 900);
    isOver = true;
    await Promise.all(posting);
    await supplier.close();
    expect((await runLeadmarket(env, 'restore', file, '--replace', '--json')).json.error.code).toBe('server_running');
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });

    const there = { DATA_DIR: second.path };
    expect((await runLeadmarket(there, 'restore', file, '--json')).code).toBe(0);
    const listed = await runLeadmarket(there, 'lead', 'list', '--limit', '1000', '--json');
    const restored = new Set((listed.json.data as Array<{ leadId: string }>).map(({ leadId }) => leadId));
    expect([...before].filter((leadId) => !restored.has(leadId))).toEqual([]);

    const again = await startServer(there);
    const posted = connectSupplier(again.url, { key, connections: 1 });
    const fresh = await posted.post(leadBody(1_000_000));
    expect(fresh.status).toBe(202);
    await eventually('all of it is decided', async () => {
      const { json } = await runLeadmarket(there, 'lead', 'list', '--state', 'routed', '--limit', '1000', '--json');
      return (json.data as unknown[]).length === restored.size + 1;
    });
    await posted.close();
    const checks = await runLeadmarket(there, 'doctor', '--json');
    expect(checks.json).toMatchObject({ ok: true });
    expect((await runLeadmarket(there, 'ledger', 'check', '--json')).json).toMatchObject({ ok: true });
    again.signal('SIGTERM');
    expect(await again.ended).toEqual({ code: 0, signal: null });

    // A second restore into the same database is rejected unless requested.
    expect((await runLeadmarket(there, 'restore', file, '--json')).json.error.code).toBe('database_not_empty');
    expect((await runLeadmarket(there, 'restore', file, '--replace', '--json')).code).toBe(0);
    const replaced = await runLeadmarket(there, 'lead', 'list', '--limit', '1000', '--json');
    expect((replaced.json.data as unknown[]).length).toBe(restored.size);
  });
});
