// The error for failures outside the process: storage unavailable, a socket cut. Thrown in platform only; its text is public.

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
