// Reads the latest responses to a partner's webhook, with the rule of its format that read each (contract 13.6).
import type { LeadId } from '../base/ids.ts';
import { lastChangeOf } from '../marketplace/config-history.ts';
import type { Tx } from '../platform/database/database.ts';
import { responsesOfWebhook } from './attempt-log.sql.ts';
import { attemptView } from './attempt-view.rules.ts';
import type { AttemptView } from './attempt.schema.ts';

export type WebhookResponse = Pick<
  AttemptView,
  'attemptId' | 'at' | 'test' | 'state' | 'deliveryId' | 'deliveryRef' | 'responseCode' | 'responseSnippet' | 'error'
> & {
  readonly leadId: LeadId | null;
  /** From 0; null if no rule matched. */
  readonly rule: number | null;
  /** Whether the format has not changed since: only then the number is that of a rule of the current format. */
  readonly isCurrent: boolean;
};

const LIMIT = 20;

/** Newest first. Secrets were masked when the responses came. */
export async function readWebhookResponses(tx: Tx, buyerKey: string): Promise<WebhookResponse[]> {
  const changedAt = await lastChangeOf(tx, { kind: 'buyer', key: buyerKey, member: 'webhook' });
  const rows = await tx.query(responsesOfWebhook, { buyerKey, limit: LIMIT });
  return rows.map((row) => {
    const { attemptId, at, test, state, deliveryId, deliveryRef, responseCode, responseSnippet, error } =
      attemptView(row);
    return {
      ...{ attemptId, at, test, state, deliveryId, deliveryRef, responseCode, responseSnippet, error },
      ...{ leadId: row.leadId, rule: row.rule, isCurrent: changedAt === null || row.at >= changedAt },
    };
  });
}
