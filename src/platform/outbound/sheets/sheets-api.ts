// Calls Google's Sheets API: reads the first sheet's title, reads a range's first column, appends rows (contract 5.5).
import type { Members } from '../../../base/json.ts';
import type { Clock } from '../../clock.ts';
import type { GuardedClient } from '../guarded-client.ts';
import type { HttpOutcome } from '../http-outcome.ts';
import { jsonResponse } from '../response-body.rules.ts';
import { notTried, outcomeOfHttp, type SendOutcome } from '../send-outcome.ts';
import type { AccessTokens } from './access-token.ts';
import { firstColumn, firstTitle, rangePath } from './sheet-values.rules.ts';

export type Cell = string | number | boolean | null;

/** The value, or the outcome of the whole attempt without it. */
export type Step<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly outcome: SendOutcome };

export type Column = { readonly cells: readonly string[]; readonly latencyMs: number };

export type SheetsApi = {
  firstTitle(spreadsheetId: string, left: TimeLeft): Promise<Step<string>>;
  /** `cells` is in A1 notation. */
  firstColumn(sheet: SheetRef, cells: string, left: TimeLeft): Promise<Step<Column>>;
  /** Appends below the table that begins in the sheet's first cell. */
  append(sheet: SheetRef, rows: readonly (readonly Cell[])[], left: TimeLeft): Promise<SendOutcome>;
};

/** Returns the milliseconds until the caller's deadline; called right before each request. */
export type TimeLeft = () => number;

export type SheetRef = { readonly spreadsheetId: string; readonly title: string };

/** The ids of a full sheet (10 million cells in 22 columns) have 15 MB. */
const COLUMN_BYTES = 16_777_216;
const TITLES_BYTES = 1_048_576;
/** With less time left no request is started: a cut one would leave its outcome unknown. */
const TIME_MIN_MS = 1_000;
const UNREADABLE = 'The response of Google Sheets could not be read.';

type Access = { readonly headers: Readonly<Record<string, string>>; readonly timeoutMs: number };

export function createSheetsApi(options: {
  readonly apiUrl: string;
  /** Shown to a partner whose sheet is not shared with it. */
  readonly email: string;
  readonly client: GuardedClient;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
}): SheetsApi {
  const { email, client, tokens, clock } = options;
  const spreadsheets = `${options.apiUrl.replace(/\/+$/, '')}/v4/spreadsheets`;

  const call = async (left: TimeLeft, send: (access: Access) => Promise<HttpOutcome>): Promise<Step<HttpOutcome>> => {
    const access = await tokens.current();
    if (!access.ok) return { ok: false, outcome: notTried(access.error) };
    const timeoutMs = left();
    if (timeoutMs < TIME_MIN_MS) return { ok: false, outcome: notTried('Google Sheets took too long.') };
    const http = await send({ headers: { authorization: `Bearer ${access.token}` }, timeoutMs });
    if (http.kind === 'response' && http.status === 401) tokens.discard(access.token);
    return { ok: true, value: http };
  };

  const read = async <Value>(
    { path, keepBodyBytes, left }: { path: string; keepBodyBytes: number; left: TimeLeft },
    valueOf: (response: Members, http: HttpOutcome) => Value | null,
  ): Promise<Step<Value>> => {
    const called = await call(left, (access) =>
      client.get({ ...access, url: `${spreadsheets}/${path}`, keepBodyBytes }),
    );
    if (!called.ok) return called;
    const http = called.value;
    const outcome = outcomeOfSheets(http, email, clock.now());
    if (http.kind === 'error' || outcome.kind !== 'taken') return { ok: false, outcome: nothingWritten(outcome) };
    // An unreadable response does not mean an empty sheet: rows that it lacks may be there.
    const response = jsonResponse(http.body);
    const value = response === null ? null : valueOf(response, http);
    return value === null ? { ok: false, outcome: notTried(UNREADABLE) } : { ok: true, value };
  };

  return {
    firstTitle: (spreadsheetId, left) =>
      read({ path: `${spreadsheetId}?fields=sheets.properties.title`, keepBodyBytes: TITLES_BYTES, left }, firstTitle),
    firstColumn({ spreadsheetId, title }, cells, left) {
      const path = `${spreadsheetId}/values/${rangePath(title, cells)}?majorDimension=COLUMNS&fields=values&prettyPrint=false`;
      return read({ path, keepBodyBytes: COLUMN_BYTES, left }, (response, { latencyMs }) => {
        const column = firstColumn(response);
        return column === null ? null : { cells: column, latencyMs };
      });
    },
    async append({ spreadsheetId, title }, rows, left) {
      const path = `${spreadsheetId}/values/${rangePath(title, 'A1')}:append?valueInputOption=RAW&insertDataOption=INSERT_ROWS`;
      const body = JSON.stringify({ majorDimension: 'ROWS', values: rows });
      const called = await call(left, ({ headers, timeoutMs }) =>
        client.post({
          url: `${spreadsheets}/${path}`,
          headers: { ...headers, 'content-type': 'application/json' },
          timeoutMs,
          body,
        }),
      );
      return called.ok ? outcomeOfSheets(called.value, email, clock.now()) : called.outcome;
    },
  };
}

function outcomeOfSheets(http: HttpOutcome, email: string, now: Date): SendOutcome {
  const outcome = outcomeOfHttp(http, now);
  if (http.kind === 'error' || outcome.kind !== 'not_taken') return outcome;
  switch (http.status) {
    case 401:
      return { ...outcome, why: 'later', error: 'Google Sheets did not accept the access token.' };
    case 403:
    case 404:
      return {
        ...outcome,
        why: 'refused',
        error: `The spreadsheet does not exist, or is not shared with ${email} as an editor.`,
      };
    default:
      // `gone` disables a partner's endpoint, and this one is Google's.
      return outcome.why === 'gone' ? { ...outcome, why: 'refused' } : outcome;
  }
}

/** A read writes nothing, so non-receipt is certain. */
function nothingWritten(outcome: SendOutcome): SendOutcome {
  return outcome.kind === 'not_taken' ? { ...outcome, receipt: 'no' } : outcome;
}
