// Raises notices to operators about suppliers that are silent, or below what is usual for them (contract 12.3).
import { firstIdOf, timeOfId } from '../base/id-time.ts';
import { DAY_MS, utcDay } from '../base/time.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { NewNotice } from '../notices/notice.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { acceptanceBelow, type DayCounts, sellThroughBelow, silence } from './usual.rules.ts';
import { countSupplierDays, readPulses } from './watch.sql.ts';

/** Four weeks contain every weekday equally often. */
const USUAL_DAYS = 28;

const NOTHING: DayCounts = { submitted: 0, invalid: 0, sold: 0, unsold: 0 };

/** Of the last whole day, by UTC as the counts are. */
export async function watchSupplierRates(tx: Tx, now: Date): Promise<void> {
  const supplierKeys = await approvedSuppliers(tx);
  const { acceptanceFactor, sellThroughFactor } = (await readSettings(tx)).settings.notices.thresholds;
  const ago = (days: number): string => utcDay(new Date(now.getTime() - days * DAY_MS));
  const day = ago(1);
  const rows = await tx.query(countSupplierDays, { supplierKeys, firstDay: ago(USUAL_DAYS + 1), lastDay: day });
  const notices = [...Map.groupBy(rows, ({ supplierKey }) => supplierKey)].flatMap(([supplier, days]): NewNotice[] => {
    const last = days.find(({ isLast }) => isLast) ?? NOTHING;
    const before = days.find(({ isLast }) => !isLast) ?? NOTHING;
    const found = [
      ['supplier.acceptance_low', acceptanceBelow(last, before, acceptanceFactor)],
      ['supplier.sell_through_low', sellThroughBelow(last, before, sellThroughFactor)],
    ] as const;
    return found.flatMap(([kind, below]): NewNotice[] =>
      below === null
        ? []
        : [
            {
              ...{ kind, recipient: 'operator', occurrence: `${kind}:${supplier}:${day}` },
              data: { supplier, ...below, submissions: last.submitted, day },
            },
          ],
    );
  });
  await raiseNotices(tx, notices, now);
}

/** One notice per silence: its occurrence is named after the last submission. */
export async function watchSilence(tx: Tx, now: Date): Promise<void> {
  const notices = (await readSilentSuppliers(tx, now)).map(({ supplier, usual, hours, since: last }): NewNotice => {
    const since = last.toISOString();
    return {
      ...{ kind: 'supplier.silent', recipient: 'operator', occurrence: `supplier.silent:${supplier}:${since}` },
      data: { supplier, usual, hours, since },
    };
  });
  await raiseNotices(tx, notices, now);
}

export type SilentSupplier = {
  readonly supplier: string;
  readonly name: string;
  /** Submissions that are usual in such a span. */
  readonly usual: number;
  readonly hours: number;
  readonly since: Date;
};

/** Suppliers that send nothing at a time at which they usually do. */
export async function readSilentSuppliers(tx: Tx, now: Date): Promise<SilentSupplier[]> {
  const suppliers = await readSuppliers(tx);
  const supplierKeys = await approvedSuppliers(tx);
  const { thresholds } = (await readSettings(tx)).settings.notices;
  const hours = thresholds.silentHours;
  const at = (daysAgo: number, hoursMore: number) =>
    firstIdOf(new Date(now.getTime() - daysAgo * DAY_MS - hoursMore * 3_600_000));
  const pulses = await tx.query(readPulses, {
    supplierKeys,
    weekFrom: at(7, hours),
    weekUntil: at(7, 0),
    twoWeeksFrom: at(14, hours),
    twoWeeksUntil: at(14, 0),
  });
  return pulses.flatMap(({ supplierKey: supplier, lastLeadId, ...counts }) => {
    const since = lastLeadId === null ? null : timeOfId(lastLeadId);
    const usual = silence({ ...counts, lastAt: since }, thresholds, now);
    if (usual === null || since === null) return [];
    const name = suppliers.get(supplier)?.name ?? supplier;
    return [{ supplier, name, usual, since, hours: Math.floor((now.getTime() - since.getTime()) / 3_600_000) }];
  });
}

async function approvedSuppliers(tx: Tx): Promise<string[]> {
  return [...(await readSuppliers(tx)).values()].flatMap(({ supplierKey, status }) =>
    status === 'approved' ? [supplierKey] : [],
  );
}
