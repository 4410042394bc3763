// Tests that invoices, receipts and statements are mailed with their PDF, to the billing address (contract 6.20, 6.21, 12.3).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scheduledJobs } from '../../src/app/scheduled-jobs.ts';
import { newUuid } from '../../src/base/ids.ts';
import { postTransfers } from '../../src/ledger/post-transfers.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const yaml = `
partners:
  - { key: summit, channels: [email], settings: { notificationEmail: leads@summit.example }, billing: { email: pay@summit.example } }
  - { key: west, channels: [email], settings: { notificationEmail: leads@west.example }, billing: { mode: prepaid } }
`;

let market: TestMarketplace;
let clock: HandClock;
beforeAll(async () => {
  clock = handClock('2026-10-10T12:00:00.000Z');
  market = await startTestMarketplace({ yaml, clock });
});
afterAll(() => market.close());

const tick = async (name: string): Promise<void> => {
  await scheduledJobs(market.database, clock)
    .find((job) => job.name === name)
    ?.run();
};
const post = (buyerKey: string, type: 'charge' | 'payment', amountCents: number) =>
  market.database.tx((tx) =>
    postTransfers(tx, [{ businessKey: newUuid(), type, buyerKey, amountCents, description: 'Some' }], clock.now()),
  );

describe('Documents', () => {
  it('are mailed once, with the PDF', async () => {
    await tick('bill');
    await post('summit', 'charge', 4500);
    await post('west', 'payment', 10_000);
    await tick('issue-receipts');
    clock.set('2026-11-01T12:00:00.000Z');
    await tick('bill');
    await tick('bill');
    const mails = await eventually('both mails are kept', async () => {
      const found = await select<{ to: string; text: string }>(
        market.database,
        `SELECT recipients[1] AS "to", text_body AS text FROM kept_mail ORDER BY 1`,
      );
      return found.length >= 2 ? found : null;
    });
    expect(mails.map(({ to, text }) => [to, /\[Attached: (.*)\]/.exec(text)?.[1]])).toEqual([
      ['leads@west.example', 'RCP-2026-000001.pdf'],
      ['pay@summit.example', 'INV-2026-000001.pdf'],
    ]);
  });
});
