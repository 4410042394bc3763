// How an endpoint is doing, as its owner sees it (contract 4.12).

export type EndpointState = {
  readonly channel: string;
  /** Failed attempts since the last that succeeded; at least 1. */
  readonly failures: number;
  /** Since when attempts wait for a probe to succeed; null while they go out as usual. */
  readonly openedAt: Date | null;
  readonly lastError: string;
  readonly lastFailedAt: Date;
};
