// Operators sign in through an OpenID Connect provider (contract 7.12; decision 085).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { addOperator } from '../../src/sessions/add-operator.ts';
import { setOperatorDisabled, setOperatorEmail } from '../../src/sessions/change-operator.ts';
import { hashPassword } from '../../src/sessions/password.ts';
import { marketYaml } from '../contract/market.ts';
import { handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { startOpenIdProvider, type TestProvider } from '../support/openid-provider.ts';
import { asBrowser } from '../support/signed-in.ts';

const START = '/console/api/provider-sign-in';
const MINUTE = 60_000;
const clock = handClock('2026-11-20T15:00:00Z');
let provider: TestProvider;
let market: TestMarketplace;
let serial = 0;

beforeAll(async () => {
  provider = await startOpenIdProvider(() => clock.now());
  const openId = { issuer: provider.issuer, ...provider.client, name: 'Acme Login' };
  market = await startTestMarketplace({ yaml: marketYaml(), clock, integrations: { openId } });
});
afterAll(async () => {
  await market.close();
  await provider.close();
});
beforeEach(() => {
  Object.assign(provider, { claims: {}, refusal: null, tokenReply: null });
  // So that no test is delayed by the sign-ins of those before.
  clock.advance(20 * MINUTE);
});

type Person = { readonly name: string; readonly email: string; readonly sub: string };

async function addPerson(): Promise<Person> {
  serial += 1;
  const [name, email] = [`dana-${serial}`, `dana.${serial}@market.example`];
  const input = { name, email, passwordHash: await hashPassword('correct horse battery staple'), totpSecret: null };
  const added = await market.database.tx((tx) => addOperator(tx, { ...input, actor: commandLineActor }, clock.now()));
  expect(added.ok).toBe(true);
  return { name, email, sub: `subject-${serial}` };
}

const go = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers });
const cookiesOf = (response: Response): Map<string, string> =>
  new Map(
    response.headers.getSetCookie().map((line) => {
      const [pair = ''] = line.split(';', 1);
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    }),
  );
const locationOf = (response: Response): string => response.headers.get('location') ?? '';

type Begun = { readonly callback: string; readonly cookie: string };

/** To the provider and back, up to the address that the browser opens then. */
async function begin(to = ''): Promise<Begun> {
  const start = await go(`${market.url}${START}${to}`, { 'sec-fetch-site': 'same-origin' });
  expect(start.status).toBe(302);
  const answered = await go(locationOf(start));
  expect(answered.status).toBe(302);
  return { callback: locationOf(answered), cookie: `console-sign-in=${cookiesOf(start).get('console-sign-in')}` };
}

const finish = ({ callback, cookie }: Begun): Promise<Response> =>
  go(callback, { cookie, 'sec-fetch-site': 'cross-site' });

async function signIn(to = ''): Promise<Response> {
  return finish(await begin(to));
}

const says = (person: Person, more: Readonly<Record<string, unknown>> = {}): void => {
  provider.claims = { sub: person.sub, email: person.email, email_verified: true, ...more };
};

async function whoIs(response: Response): Promise<unknown> {
  const secret = cookiesOf(response).get('console');
  if (secret === undefined) return null;
  const { json } = await asBrowser(market.url, `console=${secret}`).get('/console/api/session');
  return json.session?.name ?? null;
}

const auditOf = (target: string) =>
  select<{ action: string }>(market.database, `SELECT action FROM audit_event WHERE target = '${target}' ORDER BY at`);

describe('An operator at the identity provider', () => {
  it('is signed in by a verified address, comes to the wanted page, and is linked in the audit log', async () => {
    const person = await addPerson();
    says(person, { email: person.email.toUpperCase() });
    const response = await signIn('?to=%2Fconsole%2Fleads%3Fstate%3Dsold');
    expect([response.status, locationOf(response)]).toEqual([302, '/console/leads?state=sold']);
    expect(await whoIs(response)).toBe(person.name);
    expect(response.headers.getSetCookie().find((line) => line.startsWith('console='))).toMatch(
      /HttpOnly; SameSite=Strict/,
    );
    const { json } = await asBrowser(market.url, '').get('/console/api/session');
    expect(json).toMatchObject({ session: null, provider: 'Acme Login' });
    expect((await auditOf(person.name)).map(({ action }) => action)).toContain('operator.identity_linked');
  });

  it('stays the operator under another address, and nobody else becomes it', async () => {
    const person = await addPerson();
    says(person);
    expect(await whoIs(await signIn())).toBe(person.name);
    says(person, { email: 'married@market.example' });
    expect(await whoIs(await signIn())).toBe(person.name);
    says({ ...person, sub: 'another subject' });
    expect(locationOf(await signIn())).toBe('/console?signIn=not_an_operator');
    // With another address at the console nobody of before is the operator.
    const change = { name: person.name, email: 'new@market.example', actor: commandLineActor };
    await market.database.tx((tx) => setOperatorEmail(tx, change, clock.now()));
    says(person);
    expect(locationOf(await signIn())).toBe('/console?signIn=not_an_operator');
  });

  it('is refused without an account, without a verified address, and while disabled', async () => {
    const person = await addPerson();
    const refused = [
      { email: 'stranger@market.example' },
      { email_verified: false },
      { email_verified: 'true' },
      { email_verified: null },
      { email: null },
    ];
    for (const claims of refused) {
      says(person, claims);
      const response = await signIn();
      expect([claims, locationOf(response), await whoIs(response)]).toEqual([
        claims,
        '/console?signIn=not_an_operator',
        null,
      ]);
    }
    says(person);
    const disabled = { name: person.name, disabled: true, actor: commandLineActor };
    await market.database.tx((tx) => setOperatorDisabled(tx, disabled, clock.now()));
    expect(locationOf(await signIn())).toBe('/console?signIn=not_an_operator');
  });

  it('goes to the overview if another page than one of the console was wanted', async () => {
    const person = await addPerson();
    says(person);
    for (const to of [
      '//evil.example/console',
      'https://evil.example/',
      '/portal',
      '/console/../portal',
      '/console/api/leads',
      '/consolex',
      `/console/leads?${'x'.repeat(4_000)}`,
    ]) {
      expect([to, locationOf(await signIn(`?to=${encodeURIComponent(to)}`))]).toEqual([to, '/console']);
      clock.advance(MINUTE);
    }
  });
});

describe('The answer of the identity provider', () => {
  it('counts once, in the browser that asked, and for ten minutes', async () => {
    const person = await addPerson();
    says(person);
    const begun = await begin();
    const elsewhere = await finish({ ...begun, cookie: 'console-sign-in=another' });
    expect([locationOf(elsewhere), await whoIs(elsewhere)]).toEqual(['/console?signIn=sign_in_over', null]);
    expect(await whoIs(await finish(begun))).toBe(person.name);
    expect(locationOf(await finish(begun))).toBe('/console?signIn=sign_in_over');
    const late = await begin();
    clock.advance(10 * MINUTE);
    expect(locationOf(await finish(late))).toBe('/console?signIn=sign_in_over');
    for (const query of ['', '?code=1', '?state=&code=', '?code=1&state=%00', '?code=1&code=2&state=a']) {
      const response = await go(`${market.url}${START}/callback${query}`);
      expect([query, await whoIs(response)]).toEqual([query, null]);
    }
  });

  it('is refused if its token is for others, of others, too old, or of another sign-in', async () => {
    const person = await addPerson();
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const wrong = [
      { iss: 'https://evil.example' },
      { aud: 'another-client' },
      { aud: [provider.client.clientId, 'another-client'] },
      { azp: 'another-client' },
      { exp: seconds - 120 },
      { exp: null },
      { nonce: 'another' },
      { nonce: null },
      { sub: null },
      { sub: 'x'.repeat(256) },
      { sub: 7 },
      { sub: [person.sub] },
    ];
    for (const claims of wrong) {
      clock.advance(MINUTE);
      says(person, claims);
      const response = await signIn();
      expect([claims, locationOf(response), await whoIs(response)]).toEqual([
        claims,
        '/console?signIn=provider_failed',
        null,
      ]);
    }
  });

  it('is refused under an unknown key, and taken under a new one that the provider publishes', async () => {
    const person = await addPerson();
    says(person);
    await provider.changeKey(false);
    expect(locationOf(await signIn())).toBe('/console?signIn=provider_failed');
    await provider.changeKey(true);
    expect(await whoIs(await signIn())).toBe(person.name);
  });

  it('leads back to the sign-in page if it is an error or unreadable', async () => {
    provider.refusal = 'access_denied';
    expect(locationOf(await signIn())).toBe('/console?signIn=sign_in_canceled');
    provider.refusal = 'server_error';
    expect(locationOf(await signIn())).toBe('/console?signIn=provider_failed');
    provider.refusal = null;
    const json = { 'content-type': 'application/json' };
    for (const reply of [
      { status: 500 },
      { status: 200, headers: json, body: '{"id_token":7}' },
      { status: 200, headers: json, body: '{"id_token":"a.b.c"}' },
      { status: 200, body: '<html>' },
      { status: 302, headers: { location: 'https://evil.example/' } },
      'reset' as const,
    ]) {
      provider.tokenReply = reply;
      expect([reply, locationOf(await signIn())]).toEqual([reply, '/console?signIn=provider_failed']);
    }
  });
});

describe('Sign-in without an identity provider', () => {
  it('has neither of its routes', async () => {
    const plain = await startTestMarketplace({ yaml: marketYaml(), clock });
    for (const path of [START, `${START}/callback?code=1&state=1`]) {
      expect((await go(`${plain.url}${path}`, { 'sec-fetch-site': 'same-origin' })).status).toBe(404);
    }
    expect((await asBrowser(plain.url, '').get('/console/api/session')).json.provider).toBeNull();
    await plain.close();
  });
});
