// What one request to an endpoint came to, in the terms that retries and receipt are decided by (contract 4.10, 4.13).

export type GetRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Less time than the client gives to everything. */
  readonly timeoutMs?: number;
  /** Asks for the whole body of the answer, up to so many bytes, instead of its start only. */
  readonly keepBodyBytes?: number;
};

export type PostRequest = GetRequest & {
  /** Sent byte for byte; a string as UTF-8. */
  readonly body: string | Buffer;
};

export type HttpFault = 'blocked' | 'dns' | 'refused' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'aborted';

/**
 * `response`: a status line arrived, whatever became of the rest. `error`: none did; `receipt` is `no` only where it is certain
 * that not one byte of the request was written. Every text may be shown to the partner. `latencyMs` runs from the call to the
 * answer's headers, or to the failure.
 */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly snippet: string | null;
      readonly latencyMs: number;
      readonly retryAfter: string | null;
      readonly location: string | null;
      /** Null where it was asked for and broke off or was too long; absent where it was not asked for. */
      readonly body?: Buffer | null;
    }
  | {
      readonly kind: 'error';
      readonly error: HttpFault;
      readonly message: string;
      readonly receipt: 'no' | 'unknown';
      readonly latencyMs: number;
    };
