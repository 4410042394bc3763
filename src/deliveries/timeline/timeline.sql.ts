// The SQL of one delivery's life.
import { statement } from '../../platform/database/database.ts';

export const selectLife = statement(
  'timeline.life',
  `SELECT delivery_id AS "deliveryId", ref_number AS "refNumber", event_type AS "eventType", status, channel,
          delivered_at AS "deliveredAt", confirmed_at AS "confirmedAt", failed_at AS "failedAt", returned_at AS "returnedAt",
          appointment_at AS "appointmentAt"
   FROM delivery WHERE delivery_id = $2 AND buyer_key = $1`,
);
