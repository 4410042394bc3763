// The result of one check of `leadmarket doctor`, and the shape of the checks that slices add.
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';

export type Finding = {
  readonly name: string;
  /** Null when the thing is not set up. */
  readonly ok: boolean | null;
  readonly detail: string;
  /** It works today and needs attention: the exit code stays 0. */
  readonly warning?: true;
};

/** A check that a slice adds. */
export type Examination = (database: Database, config: Config) => Promise<Finding>;

/** `check` resolves to the detail, returns null when the thing is not set up, and rejects when it is faulty. */
export async function findingOf(name: string, check: () => Promise<string> | null): Promise<Finding> {
  const checking = check();
  if (checking === null) return { name, ok: null, detail: 'not set up' };
  try {
    return { name, ok: true, detail: await checking };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
