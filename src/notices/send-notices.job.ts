// Sends messages with notices: gives the dispatcher its steps to lease, send and settle, and plans what was raised (contract 12.3).
import { typeId } from '../base/ids.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { GuardedClient } from '../platform/outbound/guarded-client.ts';
import type { MailAttachment, Mailer } from '../platform/outbound/mail/mail.ts';
import type { MailBrand } from '../platform/outbound/mail/mail-page.rules.ts';
import { judge } from '../platform/outbound/retry.rules.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import { signedPost, webhookBody } from '../platform/outbound/signed-post.ts';
import { startDispatcher } from '../platform/queue/dispatcher.ts';
import type { Slots } from '../platform/queue/share-slots.rules.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { startWorkLoop } from '../platform/queue/work-loop.ts';
import { emailsFor } from './billing-emails.rules.ts';
import { beginSends, dueQueues, type StartedSend } from './begin-sends.ts';
import { finishSends, type SendResult } from './finish-sends.ts';
import type { NoticeAttachment } from './notice.ts';
import { partlyDone } from './left-out.ts';
import { hasRaised } from './notice-plan.sql.ts';
import type { SendQueue } from './notice-send.sql.ts';
import { planNotices } from './plan-notices.ts';
import { chatText, noticeMail } from './render-notice.rules.ts';

export type NotifierOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly client: Pick<GuardedClient, 'post'>;
  /** Errors of the other side and missing settings are outcomes, never rejections. Ends within 20 s. */
  readonly mailer: Pick<Mailer, 'send'>;
  /** The marketplace's, as mails show it. */
  readonly brand: () => MailBrand;
  /** Renders the document that an email has attached; null if there is none any more. */
  readonly attachmentOf: (attachment: NoticeAttachment) => Promise<MailAttachment | null>;
  readonly onFault: (error: unknown) => void;
  /** Of the work loops. */
  readonly pollMs?: number;
};

/** Notices matter less than leads, and most of them go to one mail server. */
const SLOTS: Slots = { total: 16, perQueue: 2, perQueueWhenScarce: 1, probes: 1 };
/** Three days: what fails over a weekend is still sent on Monday. */
const NOTICE_RETRY_SECONDS = [0, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400];
/** A notice may wait some seconds; an idle service should not ask more often. */
const PLAN_EVERY_MS = 3000;

export function startNotifier(options: NotifierOptions): { stop(): Promise<void> } {
  const { database, clock, wakeups, onFault, pollMs = PLAN_EVERY_MS } = options;
  const planner = startWorkLoop({
    topic: 'callbacks',
    wakeups,
    pollMs,
    onFault,
    async round() {
      const [row] = await database.query(hasRaised);
      if (row?.isDue !== true) return false;
      const { planned, leftOut } = await database.tx((tx) => planNotices(tx, clock.now()));
      if (leftOut.length > 0) onFault(partlyDone(leftOut));
      if (planned > 0) wakeups.wakeHere('callbacks');
      return planned > 0;
    },
  });
  const dispatcher = startDispatcher<
    SendQueue & { isBroken: boolean },
    StartedSend,
    SendResult,
    { isMoreDue: boolean }
  >({
    ...options,
    topic: 'callbacks',
    slots: SLOTS,
    probeSeconds: () => PLAN_EVERY_MS,
    queueName: ({ recipientKind, recipientKey, channel }) => `${recipientKind} ${recipientKey} ${channel}`,
    jobsPerCall: () => 1,
    due: (tx, _probeSeconds, now) => dueQueues(tx, now),
    claim: beginSends,
    async send([send], settle) {
      const outcome = await trySend(send, options);
      await settle({ send, outcome, judgement: judgementOf(send, outcome, clock.now()) });
    },
    settle: finishSends,
  });
  return {
    async stop() {
      await planner.stop();
      await dispatcher.stop();
    },
  };
}

function judgementOf(send: StartedSend, outcome: SendOutcome | null, now: Date): SendResult['judgement'] {
  if (outcome === null) return { kind: 'dropped' };
  // A rejection is tried as long as everything else: an address or a login is often mended within a day.
  const kept =
    outcome.kind === 'not_taken' && outcome.why === 'refused' ? { ...outcome, why: 'later' as const } : outcome;
  return judge(kept, send.job, { retrySeconds: NOTICE_RETRY_SECONDS, chance: Math.random(), now });
}

/** Null if the recipient no longer has this channel. A message that cannot be built counts as tried: it fails in the end. */
async function trySend(send: StartedSend, options: NotifierOptions): Promise<SendOutcome | null> {
  try {
    return await carry(send, options);
  } catch (error) {
    options.onFault(error);
    return notTried('The message could not be made.');
  }
}

async function carry(send: StartedSend, options: NotifierOptions): Promise<SendOutcome | null> {
  const { notices, recipient, secrets } = send;
  const id = typeId('notice', send.sendId);
  if (send.channel === 'email') {
    const kinds = notices.map(({ kind }) => kind);
    const [to, ...cc] = emailsFor(kinds, recipient);
    if (to === undefined) return null;
    const attachments = await Promise.all(
      notices.flatMap(({ attachment }) => (attachment === null ? [] : [options.attachmentOf(attachment)])),
    );
    return options.mailer.send({
      ...{ id, to, cc, calendar: null },
      ...noticeMail(notices, recipient, options.brand()),
      attachments: attachments.filter((attachment) => attachment !== null),
    });
  }
  const url = send.channel === 'chat' ? recipient.chatUrl : recipient.webhookUrl;
  if (url === null) return null;
  const now = options.clock.now();
  if (send.channel === 'chat') {
    const body = JSON.stringify({ text: chatText(notices, recipient) });
    return outcomeOfHttp(
      await options.client.post({ url, headers: { 'content-type': 'application/json' }, body }),
      now,
    );
  }
  const [notice] = notices;
  if (notice === undefined || secrets.length === 0) return notTried('There is no secret to sign with.');
  const body = webhookBody({ type: notice.kind, occurredAt: notice.raisedAt, data: notice.data });
  return outcomeOfHttp(await options.client.post(signedPost({ url, id, body, secrets }, now)), now);
}
