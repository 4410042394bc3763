// The statements of the demo.
import { statement } from '../platform/database/database.ts';

export const anyConfiguration = statement(
  'demo.any_configuration',
  'SELECT EXISTS (SELECT FROM supplier) OR EXISTS (SELECT FROM buyer) AS "exists"',
);

/** The demo's inboxes follow the service to its new address; a URL that a person has set stays. */
export const moveInboxes = statement(
  'demo.move_inboxes',
  `UPDATE buyer SET webhook_url = $2 || substr(webhook_url, length($1) + 1), endpoint_disabled_at = NULL
   WHERE starts_with(webhook_url, $1 || $3)`,
);
