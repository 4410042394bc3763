// The SQL that reads one delivery for its timeline.
import { statement } from '../../platform/database/database.ts';
import type { DeliveryId } from '../../base/ids.ts';
import type { DeliveryLife } from './timeline.rules.ts';

export const selectLife = statement<{ readonly buyerKey: string; readonly deliveryId: DeliveryId }, DeliveryLife>(
  'timeline.life',
  `SELECT ref_number AS "refNumber", event_type AS "eventType", status, channel,
          delivered_at AS "deliveredAt", confirmed_at AS "confirmedAt", failed_at AS "failedAt", returned_at AS "returnedAt",
          CASE WHEN status = 'Failed' THEN failure END AS failure,
          appointment_at AS "appointmentAt"
   FROM delivery WHERE delivery_id = $deliveryId AND buyer_key = $buyerKey`,
);
