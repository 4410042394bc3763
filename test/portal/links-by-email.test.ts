// Links that are mailed with a secret: where they begin, and how many a partner can have sent (contract 7.12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { listKeptMails, readKeptMail } from '../../src/platform/outbound/mail/kept-mail.ts';
import { marketYaml } from '../contract/market.ts';
import { type ApiResponse, problem, problemFacts } from '../support/api-client.ts';
import { askInside } from '../support/ask-inside.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const FIVE_MINUTES = 300_000;
const HOUR = 3_600_000;
const clock = handClock('2026-11-20T15:00:00Z');
let market: TestMarketplace;
let summit: SignedIn;
let harbor: SignedIn;
let admin: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), clock, role: 'api' });
  summit = await market.signedIn.buyer('summit');
  harbor = await market.signedIn.buyer('harbor');
  admin = await market.signedIn.operator('ada');
});
afterAll(() => market.close());

/** From a browser that has the service open under this name. */
const sendUnder = (host: string, who: SignedIn, path: string, body?: object): Promise<ApiResponse> =>
  askInside(market.runtime.app, path, {
    method: 'POST',
    headers: { cookie: who.cookie, host, origin: `http://${host}` },
    ...(body === undefined ? {} : { body }),
  });
const INVITATIONS = '/portal/api/users/invitations';
const personOf = (email: string) => ({ email, name: 'Dana Ito', roles: [] });
const invite = (who: SignedIn, email: string) => who.send('POST', INVITATIONS, personOf(email));
const mailsTo = (address: string) => listKeptMails(market.database, { address, after: null, limit: 10 });

async function textOfMailTo(address: string): Promise<string> {
  const [head] = await mailsTo(address);
  return (head === undefined ? null : await readKeptMail(market.database, head.mailId))?.text ?? '';
}

describe('A link that is mailed', () => {
  it('is not made where the address of the service is unknown, whatever name the request has', async () => {
    const operator = { name: 'eve', email: 'eve@other.example', role: 'support' };
    for (const host of ['evil.example', 'localhost.evil.example', 'localhost:80@evil.example', '10.0.0.5']) {
      const refused = [
        await sendUnder(host, summit, INVITATIONS, personOf('victim@other.example')),
        await sendUnder(host, admin, '/console/api/operators/invitations', operator),
        await sendUnder(
          host,
          admin,
          '/console/api/partners/summit/users/invitations',
          personOf('victim@other.example'),
        ),
        await sendUnder(host, admin, '/console/api/operators/ada/send-password-link'),
      ];
      // A Host that is no name at all has no origin.
      const isName = !host.includes('@');
      for (const response of refused) {
        expect([host, response.status]).toEqual([host, isName ? 409 : response.status]);
        expect(response.status).toBeGreaterThanOrEqual(400);
        if (isName) expect(problemFacts(response)).toEqual(problem(409, 'email_links_unavailable'));
      }
    }
    expect([await mailsTo('victim@other.example'), await mailsTo('eve@other.example')]).toEqual([[], []]);
    expect((await summit.get('/portal/api/users')).json.invitations).toEqual([]);
  });

  it('begins with the open address on this machine', async () => {
    expect((await sendUnder('localhost:3000', summit, INVITATIONS, personOf('here@summit.example'))).status).toBe(200);
    expect(await textOfMailTo('here@summit.example')).toContain('http://localhost:3000/portal/invitation#');
  });

  it('is mailed to an address once in five minutes, also if it is sent again or withdrawn for another', async () => {
    const email = 'often@summit.example';
    expect((await invite(summit, email)).status).toBe(200);
    const { invitations } = (await summit.get('/portal/api/users')).json;
    const { invitationId } = invitations.find((one: { email: string }) => one.email === email);
    clock.advance(FIVE_MINUTES - 1000);
    for (const path of [INVITATIONS, `${INVITATIONS}/${invitationId}/resend`]) {
      const again = await summit.send('POST', path, path === INVITATIONS ? personOf(email) : undefined);
      expect([problemFacts(again), again.headers.get('retry-after')]).toEqual([problem(429, 'rate_limited'), '1']);
    }
    expect(await mailsTo(email)).toHaveLength(1);
    // Another account's invitation is its own.
    expect((await invite(harbor, email)).status).toBe(200);
    clock.advance(1000);
    expect((await summit.send('POST', `${INVITATIONS}/${invitationId}/resend`)).status).toBe(200);
    expect(await mailsTo(email)).toHaveLength(3);
  });

  it('is one of twenty an hour of the account, and no operator’s', async () => {
    clock.advance(HOUR);
    const statuses: number[] = [];
    for (let number = 0; number < 22; number += 1) {
      statuses.push((await invite(harbor, `guest-${number}@harbor.example`)).status);
      // Below the rate of sessions.
      clock.advance(1000);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
    const byOperator = '/console/api/partners/harbor/users/invitations';
    expect((await admin.send('POST', byOperator, personOf('guest-30@harbor.example'))).status).toBe(200);
    expect((await invite(summit, 'guest@summit.example')).status).toBe(200);
  });

  it('is one of fifty open invitations, also of several at the same moment', async () => {
    const byOperator = '/console/api/partners/summit/users/invitations';
    const open = async () =>
      (await summit.get('/portal/api/users')).json.invitations as Array<{ invitationId: string }>;
    for (let number = (await open()).length; number < 48; number += 1) {
      expect((await admin.send('POST', byOperator, personOf(`open-${number}@summit.example`))).status).toBe(200);
      clock.advance(1000);
    }
    const atOnce = await Promise.all(
      [0, 1, 2, 3, 4].map((number) => admin.send('POST', byOperator, personOf(`once-${number}@summit.example`))),
    );
    expect(atOnce.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 200, 409, 409, 409]);
    clock.advance(FIVE_MINUTES);
    expect(problemFacts(await admin.send('POST', byOperator, personOf('one-more@summit.example')))).toEqual(
      problem(409, 'too_many_invitations'),
    );
    const [first] = await open();
    // An open one can be sent again all the same, and one that is withdrawn makes room.
    const path = `${byOperator}/${first?.invitationId}`;
    expect((await admin.send('POST', `${path}/resend`)).status).toBe(200);
    expect((await admin.send('POST', `${path}/withdraw`)).status).toBe(204);
    expect((await admin.send('POST', byOperator, personOf('one-more@summit.example'))).status).toBe(200);
  });

  it('is accepted in the slots of sign-ins: of ten at the same moment two have to come again', async () => {
    const byOperator = '/console/api/partners/harbor/users/invitations';
    const secrets: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const email = `opener-${number}@harbor.example`;
      await admin.send('POST', byOperator, personOf(email));
      clock.advance(1000);
      secrets.push(/#invitation=(\S+)/.exec(await textOfMailTo(email))?.[1] ?? '');
    }
    const opened = await Promise.all(
      secrets.map((secret) =>
        askInside(market.runtime.app, '/portal/api/invitation/accept', {
          method: 'POST',
          headers: { 'sec-fetch-site': 'same-origin' },
          body: { secret, password: 'correct horse battery staple' },
        }),
      ),
    );
    expect(opened.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 8 }, () => 204),
      ...[503, 503],
    ]);
  });

  // Last: the address of the settings stays.
  it('begins with the address of the settings, and pages work under known names only', async () => {
    const settings = 'currency: USD, notices: { publicUrl: "https://leads.example" }';
    await market.apply(marketYaml().replace('currency: USD', settings));
    const path = '/console/api/partners/harbor/users/invitations';
    expect((await sendUnder('10.0.0.5:3000', admin, path, personOf('there@harbor.example'))).status).toBe(200);
    expect(await textOfMailTo('there@harbor.example')).toContain('https://leads.example/portal/invitation#');
    const refused = await sendUnder('evil.example', admin, path, personOf('victim@other.example'));
    expect(problemFacts(refused)).toEqual(problem(403, 'cross_origin_refused'));
    expect((await sendUnder('leads.example', admin, path, personOf('again@harbor.example'))).status).toBe(200);
  });
});
