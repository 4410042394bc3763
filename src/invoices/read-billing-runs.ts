// Reads for the operator what the monthly runs did and when the next one is (contract 6.20).
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import type { BillingKind, BillingRun, FailedItem } from './billing-run.ts';
import { nextRunDay } from './billing-run.rules.ts';
import { listFailures, listRuns, readCover } from './billing-run.sql.ts';

export type BillingRoutine = {
  readonly kind: BillingKind;
  readonly isOn: boolean;
  /** The first month that is billed by itself, `YYYY-MM`; null while it is off or has never run. */
  readonly coveredFrom: string | null;
  /** `YYYY-MM-DD`, from midnight in each partner's time zone; null while it is off. */
  readonly nextRun: string | null;
  /** Newest month first. */
  readonly runs: readonly BillingRun[];
  readonly failures: readonly FailedItem[];
};

const RUNS_SHOWN = 12;
const FAILURES_SHOWN = 100;
const kinds: readonly BillingKind[] = ['invoices', 'statements'];

/** The invoices first. */
export async function readBillingRuns(tx: Tx, now: Date): Promise<BillingRoutine[]> {
  const { billing } = (await readSettings(tx)).settings;
  const routines: BillingRoutine[] = [];
  for (const kind of kinds) {
    const isOn = billing[kind];
    const [cover] = await tx.query(readCover, { kind });
    routines.push({
      kind,
      isOn,
      coveredFrom: isOn ? (cover?.coveredFrom ?? null) : null,
      nextRun: isOn ? nextRunDay(billing.runOn, now) : null,
      runs: await tx.query(listRuns, { kind, limit: RUNS_SHOWN }),
      failures: await tx.query(listFailures, { kind, limit: FAILURES_SHOWN }),
    });
  }
  return routines;
}
