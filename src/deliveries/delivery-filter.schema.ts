// The query parameters that filter lists, searches and exports of deliveries (contract 6.2, 6.6).
import { Type } from 'typebox';

import { DOCUMENTED_ENUM } from '../platform/http/keywords.schema.ts';
import { deliveryStatuses } from './delivery.ts';

const dayText = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: ['2026-11-20'] }));

/** Members of a query's schema. */
export const deliveryFilterSchema = {
  status: Type.Optional(
    Type.String({
      description: 'Only deliveries of this status. Upper and lower case are equal.',
      [DOCUMENTED_ENUM]: [...deliveryStatuses],
      examples: ['Confirmed'],
    }),
  ),
  from: dayText('First UTC day of delivery.'),
  to: dayText('Last UTC day of delivery, inclusive.'),
};

/** The longest search text, in code points. A longer name or address is found by its beginning. */
export const SEARCH_LENGTH_MAX = 200;
