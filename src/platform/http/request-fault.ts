// The error for an invalid request, thrown where it is read; the error handler responds with its problem document.
import type { ProblemCode } from './problem-catalogue.ts';

/** One invalid member of a body or query. `field` is dotted (`offers.0.key`); `message` is sent to the client and quotes no value. */
export type FieldFault = { readonly field: string; readonly code: string; readonly message: string };

export type Refusal = {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
};

export const NOT_FOUND: Refusal = { status: 404, code: 'not_found' };

export class RequestFault extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.code);
    this.name = 'RequestFault';
    this.refusal = refusal;
  }
}
