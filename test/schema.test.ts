// schema.sql is what the migrations come to; `npm run schema` rewrites it. A change of the schema is thereby seen in review.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from './support/database.ts';
import { describeSchema } from './support/schema-text.ts';

const HEAD = `-- The schema that the migrations come to, for reading; nothing runs this file.
-- Rewritten by \`npm run schema\` and compared with a freshly migrated database by test/schema.test.ts.

`;

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});

afterAll(async () => {
  await testDatabase.drop();
});

describe('schema.sql', () => {
  it('is the result of all migrations', async () => {
    const client = await testDatabase.database.connect();
    const text = await describeSchema(client).finally(() => client.end());
    await expect(HEAD + text).toMatchFileSnapshot('../schema.sql');
  });
});
