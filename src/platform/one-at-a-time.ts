// Runs asynchronous work one piece after the other, in the order of the calls.

export type OneAtATime = <Value>(work: () => Promise<Value>) => Promise<Value>;

/** Work that would wait for the same lock in the database waits here instead, where it holds no connection of the pool. */
export function oneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
