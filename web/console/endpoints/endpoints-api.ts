// Endpoints as the service answers them (src/console/endpoints.route.ts).

export type EndpointState = 'well' | 'unsteady' | 'failing' | 'disabled';

export type Endpoint = {
  readonly ownerKind: 'buyer' | 'supplier';
  readonly ownerKey: string;
  readonly name: string;
  readonly ownerStatus: string;
  readonly channel: string;
  readonly isPrimary: boolean;
  readonly target: string;
  readonly state: EndpointState;
  /** In a row. */
  readonly failures: number;
  readonly since: string | null;
  readonly nextProbeAt: string | null;
  readonly lastError: string | null;
  readonly lastFailedAt: string | null;
  readonly waiting: number;
  readonly waitingIsMore: boolean;
  readonly outages: number;
  readonly outageSeconds: number;
};

export type EndpointList = {
  readonly data: readonly Endpoint[];
  readonly next: string | null;
  readonly outageDays: number;
};

export type Revived = { readonly result: 'enabled' | 'asked' | 'asked_when_due' | 'was_well' };
