// The console's search over everything: leads, partners, suppliers, offers, claims and invoices by one text, within the operator's role.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OperatorRole } from '../../src/sessions/operator.rules.ts';
import { type ClaimMarket, claimYaml, startClaimMarket } from '../claims/claim-market.ts';
import type { Json } from '../support/scope-app.ts';

const OFFERS = `
  - { key: hill, name: Harbor Hill, channels: [], offers: [{ key: hill-ca, name: Hill West, eventType: Lead Sale, payout: 40.00 }] }
`;

let home: ClaimMarket;
let claim: { readonly id: string; readonly deliveryRef: string; readonly leadId: string };
beforeAll(async () => {
  home = await startClaimMarket(claimYaml + OFFERS.slice(1));
  const [deliveryId = ''] = await home.plant('harbor', [{}]);
  const { json } = await home.file('harbor', 'return', { deliveryId, reason: 'bot', proof: 'Three calls.' });
  const operator = await home.market.signedIn.operator('ada');
  const { lead } = (await operator.get(`/console/api/leads/${deliveryId}`)).json;
  claim = { id: json.returnId, deliveryRef: json.deliveryRef, leadId: lead.leadId };
});
afterAll(() => home.close());

const search = async (text: string, role: OperatorRole = 'admin'): Promise<Json> => {
  const operator = await home.market.signedIn.operator(role, role);
  const { status, json } = await operator.get('/console/api/search', { 'x-search': encodeURIComponent(text) });
  expect(status).toBe(200);
  return json;
};
const nothing = { leads: [], partners: [], suppliers: [], offers: [], claims: [], invoices: [], note: null };

describe('the search over everything', () => {
  it('finds a claim by its id, and by the reference of its delivery together with the lead', async () => {
    const found = { claimId: claim.id, kind: 'return', status: 'submitted', partnerName: expect.any(String) as string };
    expect(await search(` ${claim.id.toUpperCase()} `)).toEqual({ ...nothing, claims: [found] });
    const byReference = await search(claim.deliveryRef);
    expect(byReference.claims).toEqual([found]);
    expect(byReference.leads.map(({ leadId }: Json) => leadId as string)).toEqual([claim.leadId]);
  });
  it('finds partners and offers by parts of names and keys', async () => {
    const { partners, offers } = await search('harbor');
    expect(partners).toEqual([
      { partner: 'harbor', partnerName: 'harbor' },
      { partner: 'hill', partnerName: 'Harbor Hill' },
    ]);
    expect(offers).toEqual([]);
    const offer = { offer: 'hill-ca', offerName: 'Hill West', partner: 'hill', partnerName: 'Harbor Hill' };
    expect((await search('hill w')).offers).toEqual([offer]);
    expect((await search('acme')).suppliers).toEqual([{ supplier: 'acme-media', supplierName: 'Acme Media' }]);
  });
  it('shows and searches no personal data to a role without it', async () => {
    const email = 'jordan.rivera@example.com';
    expect((await search(email)).leads.map(({ leadId }: Json) => leadId as string)).toContain(claim.leadId);
    expect((await search(claim.deliveryRef, 'read-only')).leads).toMatchObject([{ leadId: claim.leadId, name: '•••' }]);
    expect(await search(email, 'read-only')).toEqual({ ...nothing, note: 'ids_only' });
  });
  it('finds nothing without a text, and nothing for a text that is nowhere', async () => {
    const operator = await home.market.signedIn.operator('ada');
    expect((await operator.get('/console/api/search')).json).toEqual(nothing);
    expect(await search('zzz-nowhere')).toEqual(nothing);
  });
});
