// Files of claims: what is taken, who gets it, and what is left after erasure.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import type { LeadId } from '../../src/base/ids.ts';
import { FILE_BYTES_MAX } from '../../src/claims/claim-file.rules.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { type ClaimMarket, outcomeText, startClaimMarket, uuidOfDelivery } from '../claims/claim-market.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(40, 7)]);
const text = (words: string): Buffer => Buffer.from(words);

let home: ClaimMarket;
let summit: SignedIn;

beforeAll(async () => {
  home = await startClaimMarket();
  summit = await home.market.signedIn.buyer('summit');
});
afterAll(() => home.close());

type Claimed = { readonly claimId: string; readonly deliveryId: string; readonly path: string };

async function claim(kind: 'return' | 'dispute' = 'return'): Promise<Claimed> {
  const [deliveryId = ''] = await home.plant('summit', [{}]);
  const body = { deliveryId, reason: 'bot', ...(kind === 'dispute' ? { detail: 'So.' } : {}) };
  const claimId = (await home.file('summit', kind, body)).json[`${kind}Id`] as string;
  return { claimId, deliveryId, path: `/portal/api/buyer/claims/${claimId}/files` };
}

const BYTES = { 'content-type': 'application/octet-stream' };
const add = (who: SignedIn, path: string, name: string, content: Buffer): Promise<ApiResponse> =>
  who.send('POST', `${path}?name=${encodeURIComponent(name)}`, content, BYTES);

async function bytesOf(url: string, cookie: string): Promise<{ headers: Headers; content: Buffer }> {
  const response = await fetch(home.market.url + url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  expect(response.status).toBe(200);
  return { headers: response.headers, content: Buffer.from(await response.arrayBuffer()) };
}

describe('a file of a claim', () => {
  it.each(['return', 'dispute'] as const)('is attached to a %s, listed and served as a download only', async (kind) => {
    const { claimId, path } = await claim(kind);
    const { status, json } = await add(summit, path, 'scan.png', PNG);
    expect(status).toBe(200);
    expect(json.data).toMatchObject([{ name: 'scan.png', type: 'image/png', bytes: PNG.length }]);
    expect((await summit.get(path)).json).toEqual(json);
    const { headers, content } = await bytesOf(`${path}/${json.data[0].id}`, summit.cookie);
    expect(content.equals(PNG)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="scan.png"; filename*=UTF-8''scan.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    });
    const audited = await select(
      home.market.database,
      `SELECT action, changes::text LIKE '%scan%' AS "isNamed" FROM audit_event WHERE target = $1 AND action LIKE '%file_added'`,
      [claimId],
    );
    expect(audited).toEqual([{ action: `${kind}.file_added`, isNamed: false }]);
  });

  it('is kept once, however often it is sent', async () => {
    const { path } = await claim();
    const [first, second] = await Promise.all([add(summit, path, 'a.png', PNG), add(summit, path, 'b.png', PNG)]);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect((await summit.get(path)).json.data).toHaveLength(1);
  });

  it('is one of at most five, also when many are sent at once', async () => {
    const { path } = await claim();
    const sent = await Promise.all(
      Array.from({ length: 8 }, (_, index) => add(summit, path, `${index}.txt`, text(`Call ${index}`))),
    );
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(sent.map(outcomeText)).toContain('422 validation_failed file:too_many_files');
    expect((await summit.get(path)).json.data).toHaveLength(5);
  });

  it.each([
    ['a program', Buffer.from('MZ\u0090\u0000\u0003', 'latin1')],
    ['a page', text('<html><script>alert(1)</script>')],
    ['a drawing', text('\uFEFF  <svg onload="alert(1)"/>')],
    ['an archive', Buffer.from('PK\u0003\u0004', 'latin1')],
    ['no UTF-8', Buffer.from([0xc3, 0x28, 0x41])],
    ['a NUL', text('a\u0000b')],
  ])('is refused when it is %s, whatever it is called', async (_what, content) => {
    const { path } = await claim();
    expect(outcomeText(await add(summit, path, 'call.png', content))).toBe(
      '422 validation_failed file:file_type_unknown',
    );
    expect((await summit.get(path)).json.data).toEqual([]);
  });

  it('is refused by its size before it is read, and when it turns out larger than it says', async () => {
    const { path } = await claim();
    const large = Buffer.alloc(FILE_BYTES_MAX + 1, 'a');
    expect((await add(summit, path, 'a.txt', large)).status).toBe(413);
    expect((await add(summit, path, 'a.txt', large.subarray(1))).status).toBe(200);
    // Chunks, without a length.
    const stream = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent <= FILE_BYTES_MAX; sent += 65_536) controller.enqueue(new Uint8Array(65_536).fill(65));
        controller.close();
      },
    });
    const headers = { ...BYTES, cookie: summit.cookie, 'sec-fetch-site': 'same-origin' };
    const init = { method: 'POST', headers, body: stream, duplex: 'half' };
    const outcome = await fetch(home.market.url + path, init as RequestInit).then(
      ({ status }) => status,
      () => 'cut off',
    );
    expect([413, 'cut off']).toContain(outcome);
    expect((await summit.get(path)).json.data).toHaveLength(1);
    expect((await add(summit, path, 'a.txt', Buffer.alloc(0))).status).toBe(400);
  });

  it('is not taken as JSON or a form, nor from another site', async () => {
    const { path } = await claim();
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'image/png'])
      expect([type, (await summit.send('POST', path, PNG, { 'content-type': type })).status]).toEqual([type, 415]);
    const other = await summit.send('POST', path, PNG, { ...BYTES, 'sec-fetch-site': 'cross-site' });
    expect(outcomeText(other)).toBe('403 cross_origin_refused');
  });

  it('is not added to a claim that is decided or withdrawn', async () => {
    const [denied, withdrawn] = [await claim(), await claim()];
    await home.review(denied.claimId, 'deny', 'No.');
    await summit.send('DELETE', `/portal/api/v1/buyer/returns/${withdrawn.claimId}`);
    for (const { path } of [denied, withdrawn])
      expect(outcomeText(await add(summit, path, 'a.png', PNG))).toBe('409 claim_closed');
  });

  it('is nobody else’s', async () => {
    const { path } = await claim();
    const [file] = (await add(summit, path, 'a.png', PNG)).json.data;
    const [harbor, supplier] = [
      await home.market.signedIn.buyer('harbor'),
      await home.market.signedIn.supplier('acme-media'),
    ];
    const other = await claim();
    for (const [who, address, status] of [
      [harbor, path, 404],
      [harbor, `${path}/${file.id}`, 404],
      [supplier, `${path}/${file.id}`, 401],
      [summit, `${other.path}/${file.id}`, 404],
      [summit, `${path}/file_x`, 404],
    ] as const)
      expect([address, (await who.get(address)).status]).toEqual([address, status]);
    expect((await add(harbor, path, 'a.png', PNG)).status).toBe(404);
    expect((await add(supplier, path, 'a.png', PNG)).status).toBe(401);
  });

  it('is listed at the console, and served to those who may read personal data, with a record of it', async () => {
    const { claimId, path } = await claim();
    const [file] = (await add(summit, path, 'Jordan Rivera.png', PNG)).json.data;
    const admin = await home.market.signedIn.operator();
    const support = await home.market.signedIn.operator('sam', 'support');
    const files = `/console/api/claims/${claimId}/files`;
    expect((await admin.get(files)).json.data).toEqual([file]);
    expect((await support.get(files)).text).not.toContain('Jordan');
    expect((await support.get(`${files}/${file.id}`)).status).toBe(403);
    const { content, headers } = await bytesOf(`${files}/${file.id}`, admin.cookie);
    expect(content.equals(PNG)).toBe(true);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="Jordan Rivera.png"/);
    const views = await select(
      home.market.database,
      `SELECT buyer_key FROM audit_event WHERE action = 'person.viewed' AND changes -> 'file' ->> 'to' = $1`,
      [file.id],
    );
    expect(views).toEqual([{ buyer_key: null }]);
    expect((await admin.get(`${files.replace('ret_', 'dsp_')}/${file.id}`)).status).toBe(404);
  });

  it('is deleted with the personal data of the lead, and none is added afterwards', async () => {
    const { deliveryId, path } = await claim();
    const [file] = (await add(summit, path, 'a.png', PNG)).json.data;
    const [row] = await select(home.market.database, 'SELECT lead_id FROM delivery WHERE delivery_id = $1', [
      uuidOfDelivery(deliveryId),
    ]);
    const leadIds = [(row as { lead_id: LeadId }).lead_id];
    const audit = { actor: commandLineActor, reason: null };
    await home.market.database.tx((tx) => eraseDataSubjects(tx, { leadIds, audit }, home.clock.now()));
    expect((await summit.get(`${path}/${file.id}`)).status).toBe(404);
    expect((await summit.get(path)).json.data).toEqual([]);
    expect(outcomeText(await add(summit, path, 'b.png', PNG))).toBe('409 claim_closed');
  });
});
