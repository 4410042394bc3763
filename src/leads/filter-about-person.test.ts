import { expect, test } from 'vitest';

import { filterAboutPerson } from './filter-about-person.ts';
import { queriesOf } from './person-query.rules.ts';

test('A search over many long bodies lets the process do other work in between', async () => {
  const body = Buffer.from('a@'.repeat(32 * 1024)).toString();
  const leads = Array.from({ length: 200 }, (_, index) => ({
    fields: null,
    refusedText: index === 150 ? `${body} ann.lee@example.com` : body,
  }));
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const found = await filterAboutPerson(queriesOf({ email: 'Ann.Lee@example.com', phone: '+15552000001' }), leads);
  clearInterval(count);
  expect(found).toEqual([leads[150]]);
  expect(turns).toBeGreaterThan(5);
});
