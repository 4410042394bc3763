// Reads the length of the queues and how long their oldest due job has been waiting.
import type { Tx } from '../platform/database/database.ts';
import { CLOCKS_DIFFER_MS } from '../platform/queue/due-at-once.ts';
import type { QueueName, QueueState } from './overview.rules.ts';
import {
  COUNTED_AT_MOST,
  messageQueue,
  oldestMessage,
  oldestRouting,
  oldestSending,
  routingQueue,
  sendingQueue,
} from './overview.sql.ts';
import type { Jobs, Oldest } from './overview.sql.ts';

/** Uses index probes only, however long the queues are. 0 if nothing is due. */
export async function readQueueAges(
  tx: Tx,
  now: Date,
): Promise<Array<{ readonly queue: QueueName; readonly ageSeconds: number }>> {
  const [[routing], [sending], [messages]] = await Promise.all([
    tx.query(oldestRouting),
    tx.query(oldestSending, { now }),
    tx.query(oldestMessage, { now }),
  ]);
  const age = (dueAt: Date | null | undefined): number => ageOf(dueAt ?? null, now) ?? 0;
  return [
    { queue: 'routing', ageSeconds: age(routing?.oldestDueAt) },
    { queue: 'sending', ageSeconds: age(sending?.oldestDueAt) },
    { queue: 'messages', ageSeconds: age(messages?.oldestDueAt) },
  ];
}

export async function readQueues(tx: Tx, now: Date): Promise<QueueState[]> {
  const [[inbox], [sending], [oldestDelivery], [messages], [oldestNotice]] = await Promise.all([
    tx.query(routingQueue, { now }),
    tx.query(sendingQueue, { now }),
    tx.query(oldestSending, { now }),
    tx.query(messageQueue, { now }),
    tx.query(oldestMessage, { now }),
  ]);
  const waiting = inbox?.waiting ?? 0;
  const later = inbox?.later ?? 0;
  return [
    {
      queue: 'routing',
      waiting: Math.min(waiting, COUNTED_AT_MOST),
      // A lead leaves the queue in the transaction of its decision, so no other transaction sees it in progress.
      inFlight: null,
      later: Math.min(later, COUNTED_AT_MOST),
      isMore: Math.max(waiting, later) > COUNTED_AT_MOST,
      ageSeconds: waiting === 0 ? null : ageOf(inbox?.oldestDueAt ?? null, now),
    },
    queueOf('sending', sending, { oldest: oldestDelivery, now }),
    queueOf('messages', messages, { oldest: oldestNotice, now }),
  ];
}

function queueOf(
  queue: QueueName,
  { jobs, inFlight, waiting, later }: Jobs = { jobs: 0, inFlight: 0, waiting: 0, later: 0 },
  { oldest, now }: { oldest: Oldest | undefined; now: Date },
): QueueState {
  const isMore = jobs > COUNTED_AT_MOST;
  return { queue, waiting, inFlight, later, isMore, ageSeconds: ageOf(oldest?.oldestDueAt ?? null, now) };
}

/** New work is made due a little before its arrival (due-at-once.ts); that lead does not count as waiting time. */
function ageOf(dueAt: Date | null, now: Date): number | null {
  return dueAt === null ? null : Math.max(0, Math.floor((now.getTime() - dueAt.getTime() - CLOCKS_DIFFER_MS) / 1000));
}
