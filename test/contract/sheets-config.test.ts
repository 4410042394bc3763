// Tests GET /api/v1/sheets-config of the running service: how a partner gets leads into its spreadsheet (contract 6.17).
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { columnNames } from '../../src/deliveries/delivery-columns.rules.ts';
import { type ApiResponse, call, getAsBuyer, problem, problemFacts } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { type Google, serviceAccountEmail, startGoogle } from '../support/google.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const PATH = '/api/v1/sheets-config';
const SCRIPT = 'https://script.google.com/macros/s/x/exec';
const EDITABLE = 'editableFields: [sheetsSpreadsheetId]';

const yaml = (spreadsheetId: string) => `
partners:
  - { key: native, name: Native, channels: [webhook, sheets, sheets_script], ${EDITABLE}, settings: { sheetsSpreadsheetId: "${spreadsheetId}", sheetsWebhookUrl: "${SCRIPT}" } }
  - { key: script, name: Script, channels: [sheets_script], settings: { sheetsWebhookUrl: "${SCRIPT}" } }
  - { key: off, name: Off, channels: [email], settings: { sheetsSpreadsheetId: "${spreadsheetId}" } }
  - { key: begun, name: Begun, channels: [sheets], ${EDITABLE} }
  - { key: frozen, name: Frozen, status: suspended, channels: [sheets] }
`;

let market: TestMarketplace;
let google: Google;
let folder: string;

beforeAll(async () => {
  google = await startGoogle({ title: 'Leads of 2026', now: () => new Date() });
  folder = await mkdtemp(join(tmpdir(), 'leadmarket-google-'));
  const keyFile = join(folder, 'account.json');
  await writeFile(keyFile, JSON.stringify(google.keyFile));
  market = await startTestMarketplace({
    yaml: yaml(google.spreadsheetId),
    role: 'api',
    integrations: { googleServiceAccountFile: keyFile, sheetsApiUrl: google.origin },
  });
});
afterAll(async () => {
  await market.close();
  await google.close();
  await rm(folder, { recursive: true });
});

const read = async (partner: string): Promise<ApiResponse> =>
  getAsBuyer(market.url, await market.buyerToken(partner), PATH);

async function attempt(
  buyerKey: string,
  channel: string,
  more: { state: string; at: string; code?: number; error?: string },
) {
  const { state, at, code = null, error = null } = more;
  await select(
    market.database,
    `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, response_code, error, is_test, at)
     VALUES ($1, $2, $3, '', 1, $4, $5, $6, false, $7)`,
    [newUuid(), buyerKey, channel, state, code, error, new Date(at)],
  );
}

describe('The spreadsheet delivery', () => {
  it('is native if the service appends rows itself', async () => {
    const { status, json, headers } = await read('native');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(JSON.stringify(json)).toBe(
      JSON.stringify({
        mode: 'native',
        serviceAccountEmail,
        spreadsheetId: google.spreadsheetId,
        sheetName: 'Leads of 2026',
        columns: columnNames,
        scriptWebhookUrl: SCRIPT,
        lastAppendAt: null,
        lastError: null,
      }),
    );
  });

  it('is by script if only the script is a channel', async () => {
    expect((await read('script')).json).toMatchObject({
      ...{ mode: 'script', spreadsheetId: null, sheetName: null, scriptWebhookUrl: SCRIPT, lastAppendAt: null },
    });
  });

  it('is off without such a channel, but names the account to share with', async () => {
    expect((await read('off')).json).toMatchObject({
      ...{ mode: 'off', serviceAccountEmail, spreadsheetId: google.spreadsheetId, sheetName: null, lastError: null },
    });
  });

  it('has no sheet before a spreadsheet is set, or if the sheet cannot be read', async () => {
    expect((await read('begun')).json).toMatchObject({ mode: 'native', spreadsheetId: null, sheetName: null });
    const token = await market.buyerToken('begun');
    const headers = { authorization: `Bearer ${token}` };
    const body = { sheetsSpreadsheetId: 'https://docs.google.com/spreadsheets/d/somebody-elses/edit' };
    await call(`${market.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body });
    expect((await getAsBuyer(market.url, token, PATH)).json).toMatchObject({
      ...{ mode: 'native', spreadsheetId: 'somebody-elses', sheetName: null },
    });
  });

  it('reports the time of the last append and the error since then', async () => {
    const claimStatus = async (partner: string): Promise<unknown> => {
      const { lastAppendAt, lastError } = (await read(partner)).json;
      return [lastAppendAt, lastError];
    };
    await attempt('native', 'webhook', { state: 'succeeded', at: '2026-11-20T09:00:00.000Z' });
    await attempt('native', 'sheets_script', { state: 'failed', at: '2026-11-20T09:00:01.000Z', code: 500 });
    expect(await claimStatus('native')).toEqual([null, null]);
    await attempt('native', 'sheets', { state: 'failed', at: '2026-11-20T10:00:00.000Z', code: 403 });
    expect(await claimStatus('native')).toEqual([null, 'The response had the status 403.']);
    await attempt('native', 'sheets', { state: 'succeeded', at: '2026-11-20T11:00:00.000Z', code: 200 });
    expect(await claimStatus('native')).toEqual(['2026-11-20T11:00:00.000Z', null]);
    await attempt('native', 'sheets', {
      state: 'exhausted',
      at: '2026-11-20T12:00:00.000Z',
      error: 'No response came in time.',
    });
    await attempt('native', 'sheets', { state: 'scheduled', at: '2026-11-20T12:00:01.000Z' });
    expect(await claimStatus('native')).toEqual(['2026-11-20T11:00:00.000Z', 'No response came in time.']);
    expect(await claimStatus('script')).toEqual([null, null]);
    await attempt('script', 'sheets_script', { state: 'succeeded', at: '2026-11-20T13:00:00.000Z', code: 302 });
    expect(await claimStatus('script')).toEqual(['2026-11-20T13:00:00.000Z', null]);
  });

  it('is shown to its partner only', async () => {
    expect(problemFacts(await read('frozen'))).toEqual(problem(403, 'partner_suspended'));
    expect(problemFacts(await call(market.url + PATH))).toEqual(problem(401, 'unauthorized'));
    const response = await call(market.url + PATH, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('names no account to share with if no service account is configured', async () => {
    const bare = await startTestMarketplace({ yaml: yaml('abc'), role: 'api' });
    const { json } = await getAsBuyer(bare.url, await bare.buyerToken('native'), PATH);
    expect(json).toMatchObject({ mode: 'native', serviceAccountEmail: null, spreadsheetId: 'abc', sheetName: null });
    await bare.close();
  });
});
