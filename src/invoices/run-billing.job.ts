// Runs the invoices and statements of every month that is over, each partner and supplier once (contract 6.20).
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { computeApart } from '../base/apart.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { Failed } from '../platform/work-apart.ts';
import type { BillingIssuer, BillingOwner } from './billing-run.ts';
import { isRunDue, monthOf, monthsUpTo } from './billing-run.rules.ts';
import { completedMonths, completeRun, coverMonths, doneOwners, startRun, writeItem } from './billing-run.sql.ts';

export type BillingOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly issuers: readonly BillingIssuer[];
  /** Stops after this time between two partners; the next run goes on. */
  readonly withinMs: number;
};

const ERROR_LENGTH_MAX = 300;

/**
 * Each partner has a transaction of its own, which also stores the outcome: a run that is cut short goes on where it stopped, and of two runs
 * at once the second finds what the first has issued. A month that was missed is caught up. A partner that fails is stored with its error
 * and tried again by the next run. Throws at the end if some failed.
 */
export async function runBilling(options: BillingOptions): Promise<void> {
  const { clock, issuers, withinMs } = options;
  const until = clock.now().getTime() + withinMs;
  const failures: unknown[] = [];
  for (const issuer of issuers) failures.push(...(await runIssuer(options, issuer, until)));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} documents could not be issued`);
}

async function runIssuer({ database, clock }: BillingOptions, issuer: BillingIssuer, until: number) {
  const { kind } = issuer;
  const now = clock.now();
  const { months, runOn } = await database.tx(async (tx) => {
    const { billing } = (await readSettings(tx)).settings;
    const [cover] = await tx.query(coverMonths, { kind, isOn: billing[kind], month: monthOf(now) });
    const first = cover?.coveredFrom ?? null;
    const completed = new Set((await tx.query(completedMonths, { kind })).map(({ month }) => month));
    // The current month is over in time zones ahead of UTC.
    const covered = first === null ? [] : monthsUpTo(first, monthOf(now));
    return { months: covered.filter((month) => !completed.has(month)), runOn: billing.runOn };
  });
  const failures: unknown[] = [];
  for (const month of months) {
    const owners = await database.tx((tx) => issuer.owners(tx));
    const isDue = ({ timeZone }: BillingOwner): boolean => isRunDue(month, { timeZone, runOn }, now);
    const unknown: Array<Failed<BillingOwner>> = [];
    const due = computeApart(
      owners,
      (owner) => (isDue(owner) ? [owner] : []),
      (one, error) => void unknown.push({ one, error }),
    ).flat();
    // One whose month cannot be computed is tried again with the others.
    if (due.length === 0) continue;
    await database.tx((tx) => tx.query(startRun, { kind, month, now }));
    const done = new Set((await database.query(doneOwners, { kind, month })).map(({ ownerKey }) => ownerKey));
    let left = owners.length - due.length;
    for (const { one, error } of unknown) {
      await database.tx((tx) => recordFailure(tx, { kind, ownerKey: one.key, month }, { error, now }));
      failures.push(error);
    }
    for (const { key } of due.filter((owner) => !done.has(owner.key))) {
      if (clock.now().getTime() > until) return failures;
      const failure = await issueOne({ database, clock }, issuer, { ownerKey: key, month });
      if (failure === null) continue;
      failures.push(failure);
      left += 1;
    }
    if (left === 0) await database.tx((tx) => tx.query(completeRun, { kind, month, now: clock.now() }));
  }
  return failures;
}

/** Returns the error, or null. */
async function issueOne(
  { database, clock }: Pick<BillingOptions, 'database' | 'clock'>,
  { kind, issue }: BillingIssuer,
  one: { readonly ownerKey: string; readonly month: string },
): Promise<unknown> {
  const now = clock.now();
  try {
    await database.tx(
      async (tx) => {
        const { outcome, number } = await issue(tx, one, now);
        await tx.query(writeItem, { kind, ...one, outcome, number, error: null, now });
      },
      { patient: true },
    );
    return null;
  } catch (failure) {
    await database.tx((tx) => recordFailure(tx, { kind, ...one }, { error: failure, now }));
    return failure;
  }
}

type Item = Pick<BillingIssuer, 'kind'> & { readonly ownerKey: string; readonly month: string };

async function recordFailure(tx: Tx, item: Item, failure: { readonly error: unknown; readonly now: Date }) {
  const { now } = failure;
  const text = failure.error instanceof Error ? failure.error.message : 'unknown error';
  const error = maskSecrets(text).slice(0, ERROR_LENGTH_MAX);
  await tx.query(writeItem, { ...item, outcome: 'failed', number: null, error, now });
}
