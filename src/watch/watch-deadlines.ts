// Raises notices about failures for good, claims that are due, processes that are gone, and credentials that expire (contract 12.3).
import { computeApart } from '../base/apart.ts';
import { typeId } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { NewNotice } from '../notices/notice.ts';
import { readAllNoticeSettings } from '../notices/notice-settings.ts';
import { raiseNotices } from '../notices/raise-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteReports } from '../platform/processes/read-processes.ts';
import type { Look } from './look.ts';
import {
  countDeadLetters,
  type ExpiringRow,
  selectDueClaims,
  selectExpiring,
  selectGoneProcesses,
} from './watch.sql.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** After a longer outage the pages show what failed before it. */
const HOURS_BACK_MAX = 48;
/** Health shows a process that is gone for so long. */
const GONE_SHOWN_MS = HOUR_MS;
/** A claim that is overdue for longer has its notice. */
const OVERDUE_DAYS = 7;
/** The longest warning that a partner or supplier can choose. */
const EXPIRY_DAYS_MAX = 365;

/**
 * Of each whole hour that has ended since the last look, and of the last one in any case: at most one notice an hour, with all that failed
 * in it.
 */
export async function watchDeadLetters(tx: Tx, now: Date, { lookedAt }: Look): Promise<void> {
  const last = hourOf(now) - HOUR_MS;
  const first = Math.max(Math.min(lookedAt === null ? last : hourOf(lookedAt), last), last - HOURS_BACK_MAX * HOUR_MS);
  const notices: NewNotice[] = [];
  for (let hour = first; hour <= last; hour += HOUR_MS) {
    const [since, until] = [new Date(hour), new Date(hour + HOUR_MS)];
    const [counts] = await tx.query(countDeadLetters, { since, until });
    if (counts === undefined || counts.deliveries + counts.jobs === 0) continue;
    const data = { ...counts, since: since.toISOString(), until: until.toISOString() };
    const occurrence = `dead.letters:${since.toISOString()}`;
    notices.push({ kind: 'dead.letters', recipient: 'operator', occurrence, data });
  }
  await raiseNotices(tx, notices, now);
}

function hourOf(at: Date): number {
  return at.getTime() - (at.getTime() % HOUR_MS);
}

export async function watchClaims(tx: Tx, now: Date): Promise<void> {
  const { claimDueHours } = (await readSettings(tx)).settings.notices.thresholds;
  const rows = await tx.query(selectDueClaims, {
    from: new Date(now.getTime() - OVERDUE_DAYS * DAY_MS),
    until: new Date(now.getTime() + claimDueHours * HOUR_MS),
  });
  const notices = rows.map(({ claimId: id, kind: claim, buyerKey: partner, dueAt }): NewNotice => {
    const claimId = typeId(claim, id);
    const data = { claimId, claim, partner, dueAt: dueAt.toISOString() };
    return { kind: 'claim.due', recipient: 'operator', occurrence: `claim.due:${claimId}`, data };
  });
  await raiseNotices(tx, notices, now);
}

/** A process that stops as it should takes its report along. The report of one that is gone is kept until its notice is raised. */
export async function watchProcesses(tx: Tx, now: Date): Promise<void> {
  const { processGoneMinutes } = (await readSettings(tx)).settings.notices.thresholds;
  const rows = await tx.query(selectGoneProcesses, {
    before: new Date(now.getTime() - processGoneMinutes * MINUTE_MS),
  });
  const notices = rows.map(({ processId, role, seenAt }): NewNotice => {
    const data = { process: processId, role, lastSeenAt: seenAt.toISOString() };
    const occurrence = `process.gone:${processId}:${seenAt.toISOString()}`;
    return { kind: 'process.gone', recipient: 'operator', occurrence, data };
  });
  await raiseNotices(tx, notices, now);
  const over = rows.filter(({ seenAt }) => now.getTime() - seenAt.getTime() > GONE_SHOWN_MS);
  await deleteReports(
    tx,
    over.map(({ processId }) => processId),
  );
}

export async function watchCredentials(tx: Tx, now: Date, { leaveOut }: Look): Promise<void> {
  const rows = await tx.query(selectExpiring, { now, until: new Date(now.getTime() + EXPIRY_DAYS_MAX * DAY_MS) });
  if (rows.length === 0) return;
  const partnersDays = await readAllNoticeSettings(tx, 'buyer');
  const suppliersDays = await readAllNoticeSettings(tx, 'supplier');
  const noticeOf = ({ credentialId: id, kind, ownerKey, label, last4, expiresAt }: ExpiringRow): NewNotice[] => {
    const isPartner = kind === 'buyer_token';
    const { expiryDays } = (isPartner ? partnersDays : suppliersDays)(ownerKey).thresholds;
    if (expiresAt.getTime() > now.getTime() + expiryDays * DAY_MS) return [];
    const credentialId = typeId(isPartner ? 'token' : 'key', id);
    return [
      {
        kind: 'credential.expiring',
        recipient: isPartner ? { partner: ownerKey } : { supplier: ownerKey },
        occurrence: `credential.expiring:${credentialId}`,
        data: { credentialId, label, last4, expiresAt: expiresAt.toISOString() },
      },
    ];
  };
  const notices = computeApart(rows, noticeOf, ({ kind, ownerKey: key }, error) => {
    leaveOut({ account: kind === 'buyer_token' ? 'partner' : 'supplier', key, partner: null, work: 'limits', error });
  });
  await raiseNotices(tx, notices.flat(), now);
}
