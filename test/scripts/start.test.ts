// Runs `npm start`: the service comes up on a free port, responds, and ends in order.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { killServers, startServer } from '../support/server-process.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await killServers();
  await testDatabase.drop();
});

describe('npm start', () => {
  it('starts the service, which responds and ends in order', async () => {
    const server = await startServer({ DATABASE_URL: testDatabase.url }, { program: 'npm', argv: ['start'] });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});
