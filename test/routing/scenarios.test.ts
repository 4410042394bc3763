// Runs every scenario of the folder beside this file on a real database and compares decisions and their explanations (contract 4).
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runScenario } from './run-scenario.ts';
import { readScenarios } from './scenario-file.ts';

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

const MANNERS = [
  { manner: 'one lead after the other', together: false, lockFirst: false },
  { manner: 'leads of one instant together, under locks taken first', together: true, lockFirst: true },
];

describe.each(readScenarios(join(import.meta.dirname, 'scenarios')))('$topic', ({ scenarios }) => {
  describe.each(MANNERS)('decided $manner', ({ together, lockFirst }) => {
    it.each(scenarios)('$name', async (scenario) => {
      const expected = scenario.steps.flatMap((step) => (step.kind === 'lead' ? [step.expected] : []));
      expect(await runScenario(home.database, scenario, { together, lockFirst })).toEqual(expected);
    });
  });
});
