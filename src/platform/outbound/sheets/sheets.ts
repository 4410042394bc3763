// Appends rows to partners' Google sheets: one write per call, at most 60 writes a minute over all workers, no row twice (contract 5.5).
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/database.ts';
import { createGuardedClient } from '../guarded-client.ts';
import { notTried, type SendOutcome } from '../send-outcome.ts';
import { createAccessTokens } from './access-token.ts';
import type { ServiceAccount, ServiceAccountOutcome } from './service-account.ts';
import { createSheetLayouts } from './sheet-layouts.ts';
import { type Cell, createSheetsApi, type SheetRef, type SheetsApi, type Step, type TimeLeft } from './sheets-api.ts';
import { nextMinute, takeWriteSlot, type WriteQuota } from './write-quota.ts';

export type SheetsOptions = {
  readonly serviceAccount: ServiceAccountOutcome;
  /** The operator sets it, like the account's `tokenUri`, so both may have any address. */
  readonly apiUrl: string;
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  /** Uniform in 0 ≤ c < 1; spreads the appends that wait for the next minute. */
  readonly chance?: () => number;
  /** A PEM authority to trust instead of the system's. */
  readonly tls?: { readonly ca?: string };
};

export type SheetRow = {
  /** The content of the first cell, unique among the rows. */
  readonly key: string;
  readonly cells: readonly Cell[];
  /** Whether an earlier attempt may have written it. */
  readonly mayBeThere: boolean;
};

export type SheetAppend = {
  readonly spreadsheetId: string;
  /** The first row, written to an empty sheet. */
  readonly header: readonly string[];
  readonly rows: readonly SheetRow[];
};

export type Sheets = {
  /** Resolves to one outcome per row, in order. Rejects only when the database fails, and then nothing was written. */
  append(request: SheetAppend): Promise<readonly SendOutcome[]>;
  /** The title of the sheet that gets the rows; null when it cannot be read now. */
  sheetName(spreadsheetId: string): Promise<string | null>;
  close(): Promise<void>;
};

/** Google's limit for one account; a write with many rows counts once. */
const WRITES_PER_MINUTE = 60;
/** Of two workers that find a sheet empty only one writes the header; the other waits until that is done and reads again. */
const HEADERS_PER_MINUTE = 1;
const HEADER_WAIT_MS = 5_000;
/** Spreads the appends that wait for the next minute. */
const SPREAD_MS = 15_000;
/** The whole append, and then a read when its response was lost: together less than the 20 s of a channel. */
const APPEND_WITHIN_MS = 13_000;
const READ_WITHIN_MS = 4_000;
const SPREADSHEET_ID = /^[\w-]+$/;

export function createSheets(options: SheetsOptions): Sheets {
  const { serviceAccount, database, clock, chance = Math.random } = options;
  if (!serviceAccount.ok) return notSetUp(serviceAccount.fault);
  const { account } = serviceAccount;
  const { api, close } = openApi(account, options);
  const layouts = createSheetLayouts(api, clock);

  /** Null when the write is allowed. */
  const takeSlots = async (spreadsheetId: string, withHeader: boolean): Promise<SendOutcome | null> => {
    const now = clock.now();
    const take = (quota: WriteQuota): Promise<boolean> => takeWriteSlot(database, quota, now);
    if (withHeader && !(await take({ account: `header of ${spreadsheetId}`, perMinute: HEADERS_PER_MINUTE })))
      return { kind: 'deferred', until: new Date(now.getTime() + HEADER_WAIT_MS) };
    if (await take({ account: account.email, perMinute: WRITES_PER_MINUTE })) return null;
    return { kind: 'deferred', until: new Date(nextMinute(now).getTime() + Math.floor(chance() * SPREAD_MS)) };
  };

  const append = async ({ spreadsheetId, header, rows }: SheetAppend): Promise<Written> => {
    const left = countDown(APPEND_WITHIN_MS);
    const known = await layouts.of(spreadsheetId, left);
    if (!known.ok) return nothing(known.outcome);
    const layout = known.value;
    const sheet = { spreadsheetId, title: layout.title };
    const found = await findRows(api, sheet, { rows, isBegun: layout.isBegun, left });
    if (!found.ok) return nothing(found.outcome);
    const { there, taken, isBegun } = found.value;
    if (isBegun) layout.isBegun = true;
    const missing = rows.filter(({ key }) => !there.has(key)).map(({ cells }) => cells);
    if (missing.length === 0) return { there, taken, rest: taken };
    const noSlot = await takeSlots(spreadsheetId, !isBegun);
    if (noSlot !== null) return { there, taken, rest: noSlot };
    const rest = await api.append(sheet, isBegun ? missing : [header, ...missing], left);
    if (rest.kind === 'taken') layout.isBegun = true;
    else if (rest.kind === 'not_taken' && rest.why === 'refused') layouts.discard(spreadsheetId);
    const seen = isResponseLost(rest) ? await api.firstColumn(sheet, 'A:A', countDown(READ_WITHIN_MS)) : null;
    return seen?.ok === true
      ? { there: new Set(seen.value.cells), taken: alreadyThere(seen.value.latencyMs), rest }
      : { there, taken, rest };
  };

  return {
    async append(request) {
      if (!SPREADSHEET_ID.test(request.spreadsheetId))
        return request.rows.map(() => notTried('The spreadsheet id is not valid.'));
      const { there, taken, rest } = await append(request);
      return request.rows.map(({ key }) => (there.has(key) ? taken : rest));
    },
    async sheetName(spreadsheetId) {
      if (!SPREADSHEET_ID.test(spreadsheetId)) return null;
      const layout = await layouts.of(spreadsheetId, countDown(READ_WITHIN_MS));
      return layout.ok ? layout.value.title : null;
    },
    close,
  };
}

/** The outcome is `taken` for the rows in `there`, and `rest` for all others. */
type Written = { readonly there: ReadonlySet<string>; readonly taken: SendOutcome; readonly rest: SendOutcome };

function nothing(rest: SendOutcome): Written {
  return { there: new Set(), taken: rest, rest };
}

type Found = Omit<Written, 'rest'> & { readonly isBegun: boolean };

/** Reads which of the rows are there already and whether the sheet has any rows. Skips the read when neither is in question. */
async function findRows(
  api: SheetsApi,
  sheet: SheetRef,
  { rows, isBegun, left }: { rows: readonly SheetRow[]; isBegun: boolean; left: TimeLeft },
): Promise<Step<Found>> {
  const isRepeat = rows.some(({ mayBeThere }) => mayBeThere);
  if (!isRepeat && isBegun) return { ok: true, value: { there: new Set(), taken: alreadyThere(0), isBegun } };
  const column = await api.firstColumn(sheet, isRepeat ? 'A:A' : 'A1', left);
  if (!column.ok) return column;
  const { cells, latencyMs } = column.value;
  return { ok: true, value: { there: new Set(cells), taken: alreadyThere(latencyMs), isBegun: cells.length > 0 } };
}

/** An earlier attempt wrote the row, or this one did and its response was lost. */
function alreadyThere(latencyMs: number): SendOutcome {
  return { kind: 'taken', responseCode: 200, responseSnippet: null, latencyMs, error: null };
}

function isResponseLost(outcome: SendOutcome): boolean {
  return outcome.kind === 'not_taken' && outcome.receipt === 'unknown' && outcome.responseCode === null;
}

function countDown(ms: number): TimeLeft {
  const deadline = performance.now() + ms;
  return () => Math.max(deadline - performance.now(), 0);
}

function openApi(account: ServiceAccount, options: SheetsOptions): { api: SheetsApi; close: () => Promise<void> } {
  const { apiUrl, clock, tls } = options;
  const origins = [apiUrl, account.tokenUri].map((url) => URL.parse(url)?.origin);
  const client = createGuardedClient({
    allowTargets: origins.filter((origin) => origin !== undefined),
    ...(tls === undefined ? {} : { tls }),
  });
  const tokens = createAccessTokens(account, { client, clock });
  return { api: createSheetsApi({ apiUrl, email: account.email, client, tokens, clock }), close: client.close };
}

function notSetUp(fault: string): Sheets {
  return {
    async append({ rows }) {
      return rows.map(() => notTried(fault));
    },
    sheetName: () => Promise.resolve(null),
    close: () => Promise.resolve(),
  };
}
