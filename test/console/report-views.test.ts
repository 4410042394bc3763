// Saved views of reports: own and shared ones, unique names, and who may change them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

let market: TestMarketplace;
let ada: SignedIn;
let ben: SignedIn;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: 'marketplace: { currency: USD }' });
  ada = await market.signedIn.operator('ada', 'read-only');
  ben = await market.signedIn.operator('ben', 'finance');
});
afterAll(() => market.close());

const PATH = '/console/api/report-views';
const view = (name: string, isShared = false) => ({ name, question: 'by=supplier&measures=margin', isShared });
const namesOf = async (who: SignedIn): Promise<Json[]> =>
  ((await who.get(PATH)).json.data as Json[]).map(({ name, author, mayChange }) => ({ name, author, mayChange }));

describe('a saved view', () => {
  it('belongs to its author, or to all operators with the author', async () => {
    const own = await ada.send('POST', PATH, view('Margin'));
    expect([own.status, own.json]).toEqual([
      201,
      { id: expect.stringMatching(/^view_/), ...view('Margin'), author: 'ada', mayChange: true },
    ]);
    expect((await ada.send('POST', PATH, view('Returns', true))).status).toBe(201);
    expect(await namesOf(ada)).toEqual([
      { name: 'Margin', author: 'ada', mayChange: true },
      { name: 'Returns', author: 'ada', mayChange: true },
    ]);
    expect(await namesOf(ben)).toEqual([{ name: 'Returns', author: 'ada', mayChange: false }]);
  });

  it('has a name of its own: among the shared ones, and among those of its author', async () => {
    for (const [who, body, status] of [
      [ada, view('Margin'), 409],
      [ben, view('Returns', true), 409],
      [ben, view('Margin'), 201],
      [ben, view('Returns'), 201],
      [ben, view(' '), 422],
    ] as const) {
      expect((await who.send('POST', PATH, body)).status, body.name).toBe(status);
    }
    const both = await Promise.all([1, 2].map(() => ben.send('POST', PATH, view('Twice'))));
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  });

  it('is renamed and deleted by its author, and a shared one by an administrator as well', async () => {
    const { json } = await ada.send('POST', PATH, view('Old', true));
    const other = await ben.send('PUT', `${PATH}/${json.id as string}`, { name: 'New' });
    expect([other.status, other.json.code]).toEqual([404, 'not_found']);
    expect((await ada.send('PUT', `${PATH}/${json.id as string}`, { name: 'Returns' })).json.code).toBe(
      'view_name_taken',
    );
    const renamed = await ada.send('PUT', `${PATH}/${json.id as string}`, { name: 'New' });
    expect([renamed.status, renamed.json.name]).toEqual([200, 'New']);
    const address = `${PATH}/${renamed.json.id as string}`;
    expect((await ben.send('DELETE', address)).status).toBe(404);
    const admin = await market.signedIn.operator();
    expect((await admin.send('DELETE', address)).status).toBe(204);
    expect((await admin.send('DELETE', address)).status).toBe(404);
    expect((await namesOf(ada)).map(({ name }) => name)).toEqual(['Margin', 'Returns']);
  });
});
