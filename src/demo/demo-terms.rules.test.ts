import { describe, expect, it } from 'vitest';

import { demoObstacle } from './demo-terms.rules.ts';

const embedded = { demo: null, databaseUrl: null, host: '127.0.0.1' } as const;

describe('The demo', () => {
  it.each(['127.0.0.1', '127.8.9.10', '::1', '0:0:0:0:0:0:0:1', 'localhost', 'LOCALHOST'])(
    'is allowed on the embedded database while the service listens on %s',
    (host) => expect(demoObstacle({ ...embedded, host })).toBeNull(),
  );

  it.each([
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '126.255.255.255',
    '::2',
    'localhost.example',
    'demo.internal',
    '127.1',
  ])('is not allowed while the service listens on %s', (host) =>
    expect(demoObstacle({ ...embedded, host })).toContain(`listens on ${host}`),
  );

  it('is not allowed on an external database', () => {
    expect(demoObstacle({ ...embedded, databaseUrl: 'postgresql:///leads' })).toContain('DATABASE_URL');
  });

  it('is always allowed with DEMO=on, and never with DEMO=off', () => {
    const elsewhere = { databaseUrl: 'postgresql:///leads', host: '0.0.0.0' };
    expect(demoObstacle({ demo: 'on', ...elsewhere })).toBeNull();
    expect(demoObstacle({ ...embedded, demo: 'off' })).toBe('DEMO is off');
  });
});
