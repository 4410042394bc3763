// Runs a transaction again that the database undid for the sake of another one.
import { isTransient } from './sql-state.ts';

/** Two that locked each other out part at the first repetition; more than a few in a row are no accident. */
const RUNS = 5;

/** `work` runs whole transactions: what a failed run did is undone. */
export async function repeatTransient<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let run = 1; ; run += 1) {
    try {
      return await work();
    } catch (error) {
      if (run === RUNS || !isTransient(error)) throw error;
    }
  }
}
