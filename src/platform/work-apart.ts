// Works on accounts apart: one whose work fails is left out, and the others go on. What concerns all of them still stops the work.
import { codeOf, isConnectionFailure } from './database/sql-state.ts';
import { OutsideError } from './outside-error.ts';

export type Failed<One> = { readonly one: One; readonly error: unknown };

/** `work` consists of whole transactions of its own. Returns those for which it failed. */
export async function workApart<One>(
  ones: Iterable<One>,
  work: (one: One) => Promise<unknown>,
): Promise<Array<Failed<One>>> {
  const failed: Array<Failed<One>> = [];
  for (const one of ones) {
    try {
      await work(one);
    } catch (error) {
      if (concernsAll(error)) throw error;
      failed.push({ one, error });
    }
  }
  return failed;
}

const STATEMENT_TIMEOUT = '57014';

/** The database or this process is at fault. A statement that takes too long is at fault itself. */
function concernsAll(error: unknown): boolean {
  if (codeOf(error) === STATEMENT_TIMEOUT) return false;
  if (error instanceof OutsideError) return codeOf(error.cause) !== STATEMENT_TIMEOUT;
  return isConnectionFailure(error);
}

/** A run has done its work but for some accounts, which the next run tries again. It counts as completed, and its errors are logged. */
export class PartlyDoneError extends AggregateError {
  constructor(errors: readonly unknown[], message: string) {
    super(errors, message);
    this.name = 'PartlyDoneError';
  }
}
