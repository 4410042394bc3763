// Says which attempt at a partner's endpoint the log of a delivery has for a message (contract 6.13).
import type { BegunAttempt } from '../endpoints/log-attempts.ts';
import { maskTarget } from '../platform/outbound/target.rules.ts';
import type { StartedMessage } from './message.ts';

/** Null for messages that no delivery is about, and for other recipients than its buyer: they are not in that log. */
export function loggedAttempt(message: StartedMessage): BegunAttempt | null {
  const { ownerKind, ownerKey, channel, leaseId, deliveryId, job, startedAt, target, type } = message;
  if (ownerKind !== 'buyer' || deliveryId === null || target?.kind !== 'webhook') return null;
  return {
    ...{ attemptId: leaseId, deliveryId, buyerKey: ownerKey, channel, startedAt },
    target: maskTarget(target.url),
    number: job.attempts,
    messageType: type,
  };
}
