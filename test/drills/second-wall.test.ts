// Starts of servers and workers on a database without the second wall, whose role may not create it (decision 017).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDatabase, statement } from '../../src/platform/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { giveToPlainRole } from '../support/plain-role.ts';
import { killServers, runLeadmarket, startServer } from '../support/server-process.ts';
import { onServer } from '../support/server.ts';

const partners = statement<void, object>('test.partners', 'SELECT FROM buyer');
const role = `lm_plain_drill_${process.pid}`;

let home: TestDatabase;
let other: TestDatabase;
let url: string;

beforeAll(async () => {
  [home, other] = [await createTestDatabase({ isEmpty: true }), await createTestDatabase({ isEmpty: true })];
  url = await giveToPlainRole(home, role);
});
afterAll(async () => {
  await killServers();
  await home.drop();
  await onServer(other.url, (client) => client.query(`DROP ROLE ${role}`));
  await other.drop();
});

describe('A service whose role may not create roles', () => {
  it('serves partners without row-level security only if configured to, while workers need no setting', async () => {
    const refused = await runLeadmarket({ DATABASE_URL: url, PORT: '0', DEMO: 'on' }, 'serve');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/ops\/roles\.sql.*ALLOW_MISSING_TENANT_WALL=true/);
    expect(refused.stderr).not.toContain('    at ');
    // No demo either, whose secrets nobody would have seen.
    const own = openDatabase({ connection: { connectionString: url } });
    expect(await own.query(partners)).toEqual([]);
    await own.close();
    const allow = { ALLOW_MISSING_TENANT_WALL: 'true' };
    const [allowed, worker] = await Promise.all([
      startServer({ DATABASE_URL: url, ...allow }, { argv: ['serve', '--role', 'api'] }),
      startServer({ DATABASE_URL: url }, { argv: ['serve', '--role', 'worker'] }),
    ]);
    expect(allowed.output()).toContain('without the second wall');
    expect(worker.output()).not.toContain('wall');
    for (const server of [allowed, worker]) server.signal('SIGTERM');
    expect([await allowed.ended, await worker.ended]).toEqual([
      { code: 0, signal: null },
      { code: 0, signal: null },
    ]);
  });
});
