// SQL of the demo.
import { statement } from '../platform/database/database.ts';

export const anyConfiguration = statement<void, { exists: boolean }>(
  'demo.any_configuration',
  'SELECT EXISTS (SELECT FROM supplier) OR EXISTS (SELECT FROM buyer) AS "exists"',
);

/** Moves the demo's inboxes to the service's new address; other URLs stay. */
export const moveInboxes = statement<{
  readonly demoOrigin: string;
  readonly origin: string;
  readonly inboxPath: string;
}>(
  'demo.move_inboxes',
  `WITH hooks AS (
     UPDATE buyer SET webhook_url = $origin || substr(webhook_url, length($demoOrigin) + 1), endpoint_disabled_at = NULL
     WHERE starts_with(webhook_url, $demoOrigin || $inboxPath)
   ), callbacks AS (
     UPDATE supplier SET callback = jsonb_set(callback, '{url}', to_jsonb($origin || substr(callback ->> 'url', length($demoOrigin) + 1)))
     WHERE starts_with(callback ->> 'url', $demoOrigin || $inboxPath)
   )
   SELECT`,
);

/** A separate statement, because two parts of one statement cannot both change the same row. */
export const moveScripts = statement<{
  readonly demoOrigin: string;
  readonly origin: string;
  readonly inboxPath: string;
}>(
  'demo.move_scripts',
  `UPDATE buyer SET sheets_webhook_url = $origin || substr(sheets_webhook_url, length($demoOrigin) + 1)
   WHERE starts_with(sheets_webhook_url, $demoOrigin || $inboxPath)`,
);
