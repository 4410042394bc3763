// A marketplace whose notices are sent by notifiers that a test starts, with real receivers and a clock that stands still.
import { accentShades } from '../../src/base/accent-shades.ts';
import type { NewNotice } from '../../src/notices/notice.ts';
import { raiseNotices } from '../../src/notices/raise-notices.ts';
import { startNotifier } from '../../src/notices/send-notices.job.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { Mail } from '../../src/platform/outbound/mail/mail.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { createWakeups } from '../../src/platform/queue/wakeups.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { type StoredMarket, storeMarket } from '../support/stored-market.ts';
import type { Receiver } from '../support/receiver.ts';

export type ListedSend = {
  readonly kind: string;
  readonly recipient: string;
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
  readonly dueAt: Date;
  readonly error: string | null;
};

export type NoticeMarket = StoredMarket & {
  readonly clock: HandClock;
  readonly mails: Mail[];
  readonly faults: unknown[];
  start(): void;
  raise(...notices: readonly NewNotice[]): Promise<void>;
  pass(ms: number): void;
  sends(): Promise<ListedSend[]>;
  /** The sends, as soon as so many have ended or wait with a result. */
  once(count: number, state: string): Promise<ListedSend[]>;
};

const open: Array<() => Promise<void>> = [];

/** To be called after each test. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).toReversed()) await close();
}

export type NoticeMarketOptions = {
  readonly yaml: string;
  readonly at?: string;
  readonly receivers?: readonly Receiver[];
  readonly mail?: (mail: Mail) => SendOutcome;
};

export const taken: SendOutcome = {
  ...{ kind: 'taken', responseCode: 250, responseSnippet: null, latencyMs: 1, error: null },
};
export const refused = (why: 'later' | 'refused', error: string): SendOutcome => ({
  ...{ kind: 'not_taken', why, receipt: 'no', retryAfterSeconds: 0 },
  ...{ responseCode: 550, responseSnippet: null, latencyMs: 1, error },
});

export async function storeNoticeMarket(options: NoticeMarketOptions): Promise<NoticeMarket> {
  const { receivers = [], at = '2026-11-24T12:00:00Z' } = options;
  const clock = handClock(at);
  const allowTargets = receivers.map(({ origin }) => origin);
  const market = await storeMarket({ yaml: options.yaml, clock, allowTargets });
  const { database } = market;
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const wakeups = createWakeups({ database, acrossProcesses: false, onFault });
  const client = createGuardedClient({ allowTargets });
  const mails: Mail[] = [];
  const notifiers: Array<{ stop(): Promise<void> }> = [];
  open.push(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(notifiers.map((notifier) => notifier.stop()));
    await client.close();
    await wakeups.close();
    await market.close();
  });
  const mailer = {
    async send(mail: Mail): Promise<SendOutcome> {
      mails.push(mail);
      return options.mail?.(mail) ?? taken;
    },
  };
  const sends = (): Promise<ListedSend[]> =>
    select<ListedSend>(
      database,
      `SELECT n.kind, n.recipient_kind || ':' || n.recipient_key AS recipient, s.channel, s.state, s.attempts, s.due_at AS "dueAt",
              s.last_error AS error
       FROM notice n JOIN notice_channel c USING (notice_id) JOIN notice_send s USING (send_id) ORDER BY n.notice_id, c.channel`,
    );
  return {
    ...market,
    ...{ clock, mails, faults, sends },
    start() {
      const attachmentOf = async () => ({
        filename: 'a.pdf',
        contentType: 'application/pdf',
        content: Buffer.from('%'),
      });
      const brand = () => ({ name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null });
      notifiers.push(startNotifier({ database, clock, wakeups, client, mailer, brand, attachmentOf, onFault }));
    },
    async raise(...notices) {
      await database.tx((tx) => raiseNotices(tx, notices, clock.now()));
      wakeups.wake('callbacks');
    },
    pass(ms) {
      clock.advance(ms);
      wakeups.wake('callbacks');
    },
    once: (count, state) =>
      eventually(`${count} are ${state}`, async () => {
        const all = await sends();
        return all.filter((send) => send.state === state).length === count ? all : null;
      }),
  };
}
