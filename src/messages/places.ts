// How many messages are sent at a time in one process.
import type { Places } from '../platform/queue/share-places.rules.ts';

/**
 * They matter less than leads, and leave them the machine: 80 a second to an endpoint that answers within 100 ms. Four lanes that hang
 * fill half of it, and sixteen more find room in the other half.
 */
export const PLACES: Places = { inAll: 64, perLane: 8, perLaneWhenScarce: 2 };
