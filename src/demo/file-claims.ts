// Some claims of the demo's partner, filed and reviewed by the real operations with the clock of their day.
import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { DAY_MS } from '../base/time.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { fileClaim } from '../claims/file-claim.ts';
import type { ReasonCode } from '../claims/reason.rules.ts';
import { reviewClaim } from '../claims/review-claim.ts';
import { listDeliveries } from '../deliveries/list-deliveries.ts';
import { readPersonPepper } from '../marketplace/read-settings.ts';
import type { Database } from '../platform/database/database.ts';

type Story = {
  /** Which of the partner's confirmed sales, counted from the newest. */
  readonly position: number;
  readonly kind: 'return' | 'dispute';
  readonly reason: ReasonCode;
  readonly statement: string;
  /** Null waits for the operator. */
  readonly decision: { readonly step: 'approve' | 'deny'; readonly note: string } | null;
};

const STORIES: readonly Story[] = [
  {
    position: 6,
    kind: 'return',
    reason: 'invalid_phone',
    statement: 'Called three times on two days: the number is not in service.',
    decision: { step: 'approve', note: 'The line is dead, as you say. Credited.' },
  },
  {
    position: 4,
    kind: 'return',
    reason: 'out_of_filter',
    statement: 'We do not buy amounts like this one.',
    decision: { step: 'deny', note: 'The amount is within the bounds of your offer.' },
  },
  {
    position: 2,
    kind: 'return',
    reason: 'duplicate',
    statement: 'This person is in our system since last week.',
    decision: null,
  },
  {
    position: 3,
    kind: 'dispute',
    reason: 'bot',
    statement: 'The person who answered has never filled in a form.',
    decision: null,
  },
];

/** What cannot be filed on this day of the week, because a window is closed, is left out. */
export async function fileClaims(database: Database, buyerKey: string, now: Date): Promise<void> {
  const filed = new Date(now.getTime() - DAY_MS / 4);
  for (const { position, kind, reason, statement, decision } of STORIES) {
    await database.tx(async (tx) => {
      const buyer = (await readBuyers(tx)).get(buyerKey);
      const page = { page: 1, pageSize: 20, status: 'Confirmed', from: null, until: null } as const;
      const { rows } = await listDeliveries(tx, buyerKey, page);
      const sales = rows.filter(({ eventType }) => eventType === 'Lead Sale');
      const deliveryId = sales[position]?.deliveryId ?? null;
      if (buyer === undefined) return;
      const personPepper = await readPersonPepper(tx);
      const filing = { kind, deliveryId, reason, statement, evidenceUrl: null, origin: noOrigin, personPepper };
      const claim = await fileClaim(tx, buyer, filing, filed);
      if (!claim.ok || decision === null) return;
      const { claimId } = claim.value;
      await reviewClaim(tx, { claimId, ...decision, actor: commandLineActor }, now);
    });
  }
}
