// Imports balances of partners and suppliers as adjustments, all or nothing, each reference of one once (contract 7.7, 7.10).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { adjustSuppliers, previewAdjustments } from '../ledger/adjust-suppliers.ts';
import { lockFunds } from '../ledger/funds.ts';
import { postAllByHand, previewPostings } from '../ledger/post-by-hand.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { readAllRows } from './all-rows.ts';
import { balanceColumns, type BalanceRow, checkBalances, refusedBalance } from './balance-rows.rules.ts';
import { rejectRow } from './findings.ts';
import { importEvent, type Imported, type ImportRun } from './import-report.ts';

export async function importBalances(run: ImportRun): Promise<Imported> {
  const { database, findings, dryRun, progress } = run;
  const { settings } = await database.tx(readSettings);
  const { balances, zeros, faults } = checkBalances(await readAllRows(run, balanceColumns), settings.currency);
  for (const found of faults) rejectRow(findings, found);
  // Partners and references are looked up even so, for all errors at once.
  const isDry = dryRun || findings.faults > 0;
  progress(`Posting ${balances.length} balances…`);
  const posted = await repeatTransient(() => database.tx((tx) => postBalances(tx, run, { balances, isDry })));
  for (const fault of posted.faults) rejectRow(findings, [fault]);
  if (findings.faults > 0) return { counts: null, applied: false };
  const unchanged = balances.length - posted.added + zeros;
  return { counts: { added: posted.added, updated: 0, unchanged, expired: 0 }, applied: !isDry };
}

async function postBalances(
  tx: Tx,
  { input, clock }: ImportRun,
  { balances, isDry }: { readonly balances: readonly BalanceRow[]; readonly isDry: boolean },
): Promise<{ readonly added: number; readonly faults: ReturnType<typeof refusedBalance>[] }> {
  const ofPartners = balances.filter(({ posting }) => posting !== null);
  const ofSuppliers = balances.filter(({ posting }) => posting === null);
  const postings = ofPartners.flatMap(({ posting }) => posting ?? []);
  const adjustments = ofSuppliers.flatMap(({ adjustment }) => adjustment ?? []);
  // From here on the preview stays true: a posting of the same key needs the same account. Partners' accounts are locked first everywhere.
  if (!isDry) {
    await lockFunds(
      tx,
      postings.map(({ buyerKey }) => buyerKey),
    );
  }
  const previews = [...(await previewPostings(tx, postings)), ...(await previewAdjustments(tx, adjustments))];
  const faults = [...ofPartners, ...ofSuppliers].flatMap((balance, index) => {
    const preview = previews[index];
    return preview === undefined || preview.ok ? [] : [refusedBalance(balance, preview.code)];
  });
  const added = previews.filter((preview) => preview.ok && preview.value.isNew).length;
  if (isDry || faults.length > 0 || added === 0) return { added, faults };
  const now = clock.now();
  const outcomes = [...(await postAllByHand(tx, postings, now)), ...(await adjustSuppliers(tx, adjustments, now))];
  // An adjustment of the same key may have been posted since: then nothing of the file is.
  assert(
    outcomes.every(({ ok }) => ok),
    'a balance that could be posted was not',
  );
  const values = { rows: balances.length, added };
  await appendAudit(tx, [importEvent({ kind: 'balances', name: input.name, values }, now)]);
  return { added, faults };
}
