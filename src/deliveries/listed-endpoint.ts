// An endpoint as the operator sees it in the list (contract 4.12).
import type { EndpointKey } from '../endpoints/breaker.rules.ts';

export type EndpointState = 'well' | 'unsteady' | 'failing' | 'disabled';

export type ListedEndpoint = EndpointKey & {
  readonly name: string;
  readonly ownerStatus: string;
  readonly isPrimary: boolean;
  /** Shortened so that it can be shown; empty where nobody has said where. */
  readonly target: string;
  /** `unsteady`: it failed since it last took something, not often enough for the breaker. */
  readonly state: EndpointState;
  /** In a row. */
  readonly failures: number;
  /** Since when it is disabled, or its breaker open; null of the others. */
  readonly since: Date | null;
  readonly nextProbeAt: Date | null;
  readonly lastError: string | null;
  readonly lastFailedAt: Date | null;
  readonly waiting: number;
  /** More wait than are counted. */
  readonly waitingIsMore: boolean;
  /** How often it was out of order in the last days, and for how many seconds together. */
  readonly outages: number;
  readonly outageSeconds: number;
};
