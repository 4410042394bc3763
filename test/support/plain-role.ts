// A database whose owner may not create roles, as with a hosted PostgreSQL: without the second wall.
import type { TestDatabase } from './database.ts';
import { onServer } from './server.ts';

/** Empties the database and gives it to a new role; the URL for that role. Who calls it drops the role after the database. */
export async function giveToPlainRole(database: TestDatabase, role: string): Promise<string> {
  await onServer(database.url, async (client) => {
    await client.query('DROP SCHEMA public CASCADE');
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'plain'`);
    // Where the tests' own role is no superuser it has to be a member to give something away.
    await client.query(`GRANT ${role} TO CURRENT_USER`);
    await client.query(`CREATE SCHEMA public AUTHORIZATION ${role}`);
  });
  return database.url.replace(/\/\/[^@/]*@/, `//${role}:plain@`);
}
