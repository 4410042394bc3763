import { describe, expect, it } from 'vitest';

import { OutsideError } from '../outside-error.ts';
import { repeatThroughOutage } from './retry-transaction.ts';

const away = new OutsideError('database_unavailable', 'Storage is unavailable.', { retryable: true });

/** Fails in turn with these, then answers. */
function failing(...errors: readonly Error[]): { run: () => Promise<string>; runs: () => number } {
  let runs = 0;
  return {
    run() {
      const error = errors[runs++];
      return error === undefined ? Promise.resolve('done') : Promise.reject(error);
    },
    runs: () => runs,
  };
}

describe('A repeatable transaction', () => {
  it('is repeated until the database is back', async () => {
    const unknown = new OutsideError('outcome_unknown', 'Storage failed.', { retryable: true });
    const work = failing(away, unknown, away);
    expect(await repeatThroughOutage(work.run, () => 60_000)).toBe('done');
    expect(work.runs()).toBe(4);
  });

  it('fails with the last error when its time is over', async () => {
    const last = new OutsideError('outcome_unknown', 'Storage failed.', { retryable: true });
    const work = failing(away, last);
    let patience = 60_000;
    const run = (): Promise<string> => {
      if (work.runs() === 1) patience = 0;
      return work.run();
    };
    await expect(repeatThroughOutage(run, () => patience)).rejects.toBe(last);
    expect(work.runs()).toBe(2);
  });

  it.each([
    ['a fault of the work itself', new Error('a constraint was broken')],
    ['a refusal for good', new OutsideError('shutting_down', 'The service ends.', { retryable: false })],
  ])('is not repeated after %s', async (_, error) => {
    const work = failing(error);
    await expect(repeatThroughOutage(work.run, () => 60_000)).rejects.toBe(error);
    expect(work.runs()).toBe(1);
  });
});
