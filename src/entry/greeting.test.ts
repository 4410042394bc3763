import { describe, expect, it } from 'vitest';

import { greeting } from './greeting.ts';

const now = new Date('2026-11-20T15:00:00Z');
const secrets = {
  supplierKey: 'lms_1',
  buyerToken: 'lmb_2',
  operatorName: 'demo',
  operatorPassword: 'p-4_x',
};

const none = { secrets: null, notLoaded: null };

describe('the greeting', () => {
  it('shows the demo’s secrets and links that sign in, once', () => {
    const lines = greeting(
      { host: '127.0.0.1', port: 3000, role: 'all', demo: { secrets, notLoaded: null }, statusUrl: null },
      now,
    ).split('\n');
    expect(lines.slice(0, 8)).toEqual([
      'URL  http://127.0.0.1:3000',
      'Docs  http://127.0.0.1:3000/docs',
      'Portal  http://127.0.0.1:3000/portal#token=lmb_2',
      'Supplier portal  http://127.0.0.1:3000/portal#key=lms_1',
      'Console  http://127.0.0.1:3000/console#name=demo&password=p-4_x',
      'Supplier key  lms_1',
      'Buyer token  lmb_2',
      'Demo inbox  http://127.0.0.1:3000/demo/inbox',
    ]);
    expect(lines.at(-1)).toMatch(/^curl -sS http:\/\/127\.0\.0\.1:3000\/api\/v1\/ingest .* 'x-api-key: lms_1' /);
  });

  it('shows no password for an operator that existed before', () => {
    const text = greeting(
      {
        host: '::',
        port: 80,
        role: 'api',
        demo: { secrets: { ...secrets, operatorPassword: null }, notLoaded: null },
        statusUrl: null,
      },
      now,
    );
    expect(text).toContain('\nConsole  http://127.0.0.1:80/console\n');
  });

  it('says why there is no demo, and how to load one', () => {
    const demo = { secrets: null, notLoaded: 'the service listens on 0.0.0.0, which is not loopback' };
    expect(greeting({ host: '0.0.0.0', port: 80, role: 'all', demo, statusUrl: null }, now).split('\n').at(-1)).toBe(
      'Demo  none, because the service listens on 0.0.0.0, which is not loopback; DEMO=on loads it all the same',
    );
  });

  it('shows only addresses if no secret is new', () => {
    expect(greeting({ host: '2001:db8::1', port: 80, role: 'all', demo: none, statusUrl: null }, now)).toBe(
      [
        'URL  http://[2001:db8::1]:80',
        'Docs  http://[2001:db8::1]:80/docs',
        'Portal  http://[2001:db8::1]:80/portal',
        'Console  http://[2001:db8::1]:80/console',
      ].join('\n'),
    );
    expect(greeting({ host: '127.0.0.1', port: 0, role: 'worker', demo: none, statusUrl: null }, now)).toBe(
      'Worker  running',
    );
  });
});
