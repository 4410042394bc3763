import { AssertionError, strict as assert } from 'node:assert';

import { describe, expect, it } from 'vitest';

import { createLog } from './log.ts';
import { OutsideError } from './outside-error.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog('trace', { write: (line) => void lines.push(line) }));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
}

const databaseError = Object.assign(new Error('duplicate key value violates unique constraint "person_email"'), {
  name: 'error',
  code: '23505',
  detail: 'Key (email)=(jane@example.com) already exists.',
  where: 'jane@example.com',
  constraint: 'person_email',
  parameters: ['jane@example.com'],
});

describe('A log line', () => {
  it('is JSON with time, level and message', () => {
    expect(logged((log) => log.info({ lead: 'lead_1', count: 2 }, 'routed'))).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'routed',
      lead: 'lead_1',
      count: 2,
    });
  });

  it.each([
    { email: 'jane' },
    { a: { b: { c: { phone: 'jane' } } } },
    { list: [{ full_name: 'jane' }, { leadIp: 'jane', 'X-Api-Key': 'jane' }] },
    { headers: { anything: 'jane' } },
    { req: { url: '/?email=jane', headers: { authorization: 'jane' } } },
    { res: { body: 'jane' } },
    { url: 'https://example.com/?email=jane' },
    { body: '{"email":"jane"}', rawBody: 'jane', query: { email: 'jane' } },
    { err: databaseError, secret: 'jane' },
    { error: Object.assign(new Error('jane'), { response: 'jane' }) },
    { nested: { failure: new Error('jane', { cause: new Error('jane') }) } },
    { deep: { a: { b: { c: { d: { e: { f: 'jane' } } } } } } },
    { socket: new Map([['a', 'jane']]) },
  ])('masks secrets and personal data: %j', (record) => {
    expect(JSON.stringify(logged((log) => log.error(record, 'x')))).not.toMatch(/jane/);
  });

  it.each([
    ['an error alone', (log: ReturnType<typeof createLog>) => log.error(databaseError)],
    ['an error with a message', (log: ReturnType<typeof createLog>) => log.error(databaseError, 'failed')],
    ['an error under its name', (log: ReturnType<typeof createLog>) => log.error({ err: databaseError })],
    ['an error of a child', (log: ReturnType<typeof createLog>) => log.child({ requestId: 'r' }).error(databaseError)],
    [
      'a child named after a person',
      (log: ReturnType<typeof createLog>) => log.child({ email: 'jane@example.com' }).info('x'),
    ],
  ])('does not quote %s', (_name, write) => {
    expect(JSON.stringify(logged(write))).not.toMatch(/jane|violates/);
  });

  it('names kind, code and position of an error from a library', () => {
    const { err } = logged((log) => log.error({ err: databaseError }, 'x')) as { err: Record<string, unknown> };
    expect(err).toEqual({
      type: 'error',
      code: '23505',
      constraint: 'person_email',
      at: expect.arrayContaining([expect.stringMatching(/log\.test\.ts:\d+:\d+/)]),
    });
  });

  it('contains the message of our own errors, and the code of their cause', () => {
    const outside = new OutsideError('database_unavailable', 'Storage is unavailable.', {
      cause: databaseError,
      retryable: true,
    });
    expect(logged((log) => log.error(outside))).toMatchObject({
      msg: 'OutsideError',
      err: { code: 'database_unavailable', message: 'Storage is unavailable.', cause: { code: '23505' } },
    });
    const broken = new AssertionError({ message: 'a bigint left the range of safe integers' });
    expect(logged((log) => log.error(broken))).toMatchObject({
      err: { message: 'a bigint left the range of safe integers' },
    });
  });

  it('does not treat the message of a failed assertion as our own', () => {
    let compared: unknown;
    try {
      assert.equal('jane@example.com', 'bob@example.com');
    } catch (error) {
      compared = error;
    }
    expect(compared).toBeInstanceOf(AssertionError);
    expect(JSON.stringify(logged((log) => log.error({ err: compared }, 'x')))).not.toContain('jane');
  });

  it('does not treat a message that looks like a stack as a stack', () => {
    const error = new Error('x\n    at jane (file:///a.ts:1:1)\n    at jane doe\n{"email":"jane@example.com"}');
    expect(JSON.stringify(logged((log) => log.error({ err: error }, 'x')))).not.toContain('jane d');
  });
});
