// Keeps accounts apart: computes something for each, and leaves out the one whose values make the computation fail.

/** `leaveOut` is called for those that are left out. Only for computations: an error of the database or the network concerns all. */
export function computeApart<One, Result>(
  ones: Iterable<One>,
  compute: (one: One) => Result,
  leaveOut: (one: One, error: unknown) => void,
): Result[] {
  const results: Result[] = [];
  for (const one of ones) {
    try {
      results.push(compute(one));
    } catch (error) {
      leaveOut(one, error);
    }
  }
  return results;
}

/** The kind of an error, for readers who must not see values of a lead, which a message may quote. */
export function errorKind(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
