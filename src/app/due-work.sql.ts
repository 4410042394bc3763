// The SQL that tells in one statement which queues have work that is due, and the version of the configuration.
import { statement } from '../platform/database/database.ts';
import { firstOfEach } from '../platform/database/loose-index-scan.ts';

/**
 * Index probes only, however many jobs wait for a later time: `min`, because the planner would read a whole table for `EXISTS`. Includes
 * what the queues themselves leave out, as jobs of an endpoint whose breaker is open: a round that finds nothing costs little.
 */
export const selectDueWork = statement<
  { readonly now: Date },
  { readonly routing: boolean; readonly sending: boolean; readonly callbacks: boolean; readonly version: number }
>(
  'app.due_work',
  `WITH RECURSIVE sends AS (${firstOfEach('sends', 'send_job', ['buyer_key', 'channel', 'purpose'], 'due_at')}),
   messages AS (${firstOfEach('messages', 'message_job', ['owner_kind', 'owner_key', 'channel'], 'due_at')})
   SELECT coalesce((SELECT min(due_at) FROM routing_inbox) <= $now, false) AS routing,
          EXISTS (SELECT FROM sends WHERE due_at <= $now) AS sending,
          EXISTS (SELECT FROM messages WHERE due_at <= $now)
            OR EXISTS (SELECT FROM notice WHERE state = 'raised')
            OR coalesce((SELECT min(due_at) FROM notice_send WHERE state = 'waiting') <= $now, false)
            OR EXISTS (SELECT FROM password_link_request WHERE due_at <= $now) AS callbacks,
          (SELECT config_version FROM marketplace) AS version`,
);
