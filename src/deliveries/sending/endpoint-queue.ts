// The deliveries that wait for one endpoint.
import type { EndpointQueue } from './endpoint-queue.rules.ts';
import type { DueQueue as Due } from '../../platform/queue/dispatcher.ts';

/** `sale` decides about the delivery; `copy` goes out beside it, best effort; `replay` is sent again on request. */
export type SendPurpose = 'sale' | 'copy' | 'replay';

export type DueQueue = EndpointQueue & Due;
