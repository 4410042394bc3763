// Types of an outbound HTTP request and its outcome, which decides retries and receipt (contract 4.10, 4.13).

export type GetRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** A shorter limit than the client's total. */
  readonly timeoutMs?: number;
  /** Keeps the whole body of the response, up to this many bytes, instead of a snippet only. */
  readonly keepBodyBytes?: number;
};

export type PostRequest = GetRequest & {
  /** Sent byte for byte; a string as UTF-8. */
  readonly body: string | Buffer;
  /**
   * The URL to read by a GET because of a redirect; null for none. It is subject to the same rules, gets none of the headers, has what is left of the
   * time, and its own redirects are not followed.
   */
  readonly outputOf?: (redirect: { readonly status: number; readonly location: string | null }) => string | null;
};

/** A request in a form that the receiver dictates. */
export type FreeRequest = Omit<GetRequest, 'keepBodyBytes'> & {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'GET';
  readonly body: string | null;
};

export type HttpFault = 'blocked' | 'dns' | 'refused' | 'tls' | 'timeout' | 'reset' | 'protocol' | 'aborted';

/**
 * `response`: a status line arrived, even if the rest did not. `error`: no status line arrived; `receipt` is `no` only when
 * certainly no byte of the request was written. Every text may be shown to the partner. `latencyMs` runs from the call to the
 * response's headers, or to the failure.
 */
export type HttpOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly snippet: string | null;
      readonly latencyMs: number;
      readonly retryAfter: string | null;
      readonly location: string | null;
      /** Null when it broke off or was too long; absent without `keepBodyBytes`. */
      readonly body?: Buffer | null;
      /** Of the URL that `outputOf` named. */
      readonly output?: HttpOutcome;
      /** Only for a `FreeRequest`: everything that was received. */
      readonly received?: ReceivedResponse;
    }
  | {
      readonly kind: 'error';
      readonly error: HttpFault;
      readonly message: string;
      readonly receipt: 'no' | 'unknown';
      readonly latencyMs: number;
    };

export type ReceivedResponse = {
  /** Names in lower case; a repeated header is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most as many bytes as the client reads. */
  readonly body: Buffer;
  /** Whether the body is longer, or broke off. */
  readonly isCut: boolean;
};
