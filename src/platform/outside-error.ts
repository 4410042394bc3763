// The one error for the outside world failing: storage gone, a socket cut. Thrown in platform only; its text may be shown to anyone.

export type OutsideCode =
  | 'database_unavailable'
  | 'outcome_unknown'
  | 'overloaded'
  | 'shutting_down'
  | 'address_unavailable'
  | 'configuration_faulty';

export class OutsideError extends Error {
  readonly code: OutsideCode;
  readonly retryable: boolean;

  constructor(code: OutsideCode, publicText: string, options: { cause?: unknown; retryable: boolean }) {
    super(publicText, { cause: options.cause });
    this.name = 'OutsideError';
    this.code = code;
    this.retryable = options.retryable;
  }
}
