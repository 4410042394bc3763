import { describe, expect, it } from 'vitest';
import { filterByContact } from './find-contact-leads.ts';
import { contactQueries } from './contact-query.rules.ts';

describe('filterByContact', () => {
  it('yields to the event loop while it reads many long bodies', async () => {
    const body = Buffer.from('a@'.repeat(32 * 1024)).toString();
    const leads = Array.from({ length: 200 }, (_, index) => ({
      fields: null,
      refusedText: index === 150 ? `${body} ann.lee@example.com` : body,
    }));
    let turns = 0;
    const count = setInterval(() => (turns += 1), 0);
    const found = await filterByContact(contactQueries({ email: 'Ann.Lee@example.com', phone: '+15552000001' }), leads);
    clearInterval(count);
    expect(found).toEqual([leads[150]]);
    expect(turns).toBeGreaterThan(5);
  });
});
