// The console's audit log: search and filters over the whole audit trail (contract 6.15).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { appendAudit } from '../../src/audit/append-audit.ts';
import { type AuditEvent, noOrigin } from '../../src/audit/audit-event.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const yaml = `
marketplace: { currency: USD }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved }
partners:
  - { key: amber, name: Amber Ltd, timeZone: UTC, channels: [] }
`;
const LOG = '/console/api/audit-log';

let market: TestMarketplace;
let operator: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml, role: 'api' });
  operator = await market.signedIn.operator('ada');
});
afterAll(() => market.close());

function event(action: string, more: Partial<AuditEvent> = {}): AuditEvent {
  const actor = { type: 'operator', name: 'grace' } as const;
  const about = { buyerKey: null, supplierKey: null, target: 'thing', changes: {} };
  return { at: new Date(), actor, action, ...about, ...noOrigin, ...more };
}

async function write(...events: readonly AuditEvent[]): Promise<void> {
  await market.database.tx((tx) => appendAudit(tx, events));
}

async function actions(query: string): Promise<string[]> {
  return ((await operator.get(`${LOG}${query}`)).json.data as Json[]).map(({ action }) => action as string);
}

describe('the console’s audit log', () => {
  it('shows author, action, target, address and changed values of each event', async () => {
    await write(
      event('offer.updated', {
        actor: { type: 'buyer', name: 'tok_1' },
        buyerKey: 'amber',
        target: 'west',
        changes: { payout: { from: 45, to: null }, caps: { from: { daily: 5 }, to: ['none'] } },
        ip: '203.0.113.24',
        requestId: 'request-1',
      }),
    );
    const { json } = await operator.get(`${LOG}?target=west`);
    expect(json).toEqual({
      data: [
        {
          id: expect.stringMatching(/^aud_/),
          at: expect.any(String),
          actor: { type: 'buyer', name: 'tok_1' },
          action: 'offer.updated',
          target: 'west',
          partner: 'amber',
          supplier: null,
          changes: { payout: { from: 45, to: null }, caps: { from: { daily: 5 }, to: ['none'] } },
          ip: '203.0.113.24',
          requestId: 'request-1',
        },
      ],
      next: null,
    });
  });

  it.each([
    ['actor', '?actor=robot', ['a.one', 'a.two']],
    ['kind of actor', '?actorType=supplier', ['a.three']],
    ['action', '?action=a.two', ['a.two']],
    ['target', '?target=other-thing', ['a.two']],
    ['partner', '?partner=of-filters', ['a.one']],
    ['supplier', '?supplier=acme-media&actor=robot', ['a.two']],
    ['several of them', '?actor=robot&action=a.one&target=thing&partner=of-filters&actorType=system', ['a.one']],
    ['what there is not', '?actor=robot&action=a.three', []],
  ])('filters events by %s', async (_what, query, found) => {
    const robot = { type: 'system', name: 'robot' } as const;
    if ((await actions('?actor=robot')).length === 0) {
      await write(
        event('a.one', { actor: robot, buyerKey: 'of-filters' }),
        event('a.two', { actor: robot, supplierKey: 'acme-media', target: 'other-thing' }),
        event('a.three', { actor: { type: 'supplier', name: 'acme-media' } }),
      );
    }
    expect((await actions(query)).toSorted((one, other) => one.localeCompare(other))).toEqual(
      found.toSorted((one, other) => one.localeCompare(other)),
    );
  });

  it('pages newest first without gaps while events are added', async () => {
    await write(...Array.from({ length: 120 }, (_, index) => event(`p.${index}`, { target: 'paged' })));
    const seen: string[] = [];
    let before = '';
    const sizes: number[] = [];
    do {
      const { json } = await operator.get(`${LOG}?target=paged${before}`);
      seen.push(...(json.data as Json[]).map(({ action }) => action as string));
      sizes.push(json.data.length);
      before = json.next === null ? '' : `&before=${json.next}`;
      await write(event('p.later', { target: 'paged' }));
    } while (before !== '');
    expect(sizes).toEqual([50, 50, 20]);
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => `p.${119 - index}`));
  });

  it('limits events to a time range', async () => {
    await write(event('t.before', { target: 'timed' }));
    const written = Date.now();
    // Ids contain milliseconds: the next event needs a later one.
    await eventually('the millisecond is over', () => Promise.resolve(Date.now() > written));
    const between = new Date().toISOString();
    await write(event('t.after', { target: 'timed' }));
    expect(await actions(`?target=timed&until=${between}`)).toEqual(['t.before']);
    expect(await actions(`?target=timed&from=${between}`)).toEqual(['t.after']);
    expect(await actions(`?target=timed&from=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z`)).toEqual([]);
  });

  it.each(['?before=nothing', '?from=yesterday', '?actorType=robot', '?actor='])(
    'refuses the query %s',
    async (query) => {
      expect((await operator.get(`${LOG}${query}`)).json.code).toBe('invalid_query');
    },
  );

  it('lists all actions and actors as filter choices', async () => {
    const { json } = await operator.get(`${LOG}/choices`);
    expect(json.actions).toEqual(json.actions.toSorted());
    expect(json.actions).toEqual(expect.arrayContaining(['offer.updated', 'operator.added']));
    expect(json.actors).toEqual(expect.arrayContaining(['command line', 'tok_1']));
    expect(new Set(json.actors).size).toBe(json.actors.length);
  });

  it('refuses partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('amber');
    for (const path of [LOG, `${LOG}/choices`]) expect((await buyer.get(path)).status).toBe(401);
  });
});
