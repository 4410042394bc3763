import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { dearerFiles, readSeconds } from './processor-budgets.ts';
import { processorSeconds } from './processor-time.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('the budgets of test files', () => {
  type Cases = ReadonlyArray<[string, Record<string, number>, Record<string, number>, string[]]>;
  const cases: Cases = [
    ['a file without a figure may use 3 s', { 'a.test.ts': 3 }, {}, []],
    ['a file without a figure may not use more', { 'a.test.ts': 3.1 }, {}, ['a.test.ts']],
    ['a file of the browser may use 15 s', { 'test/browser/a.test.ts': 15 }, {}, []],
    ['growth by half is allowed', { 'a.test.ts': 15, 'b.test.ts': 5 }, { 'a.test.ts': 10, 'b.test.ts': 5 }, []],
    ['growth by 2 s is allowed', { 'a.test.ts': 5, 'b.test.ts': 9 }, { 'a.test.ts': 3, 'b.test.ts': 9 }, []],
    [
      'growth by more than both is not',
      { 'a.test.ts': 15.2, 'b.test.ts': 5, 'c.test.ts': 5 },
      { 'a.test.ts': 10, 'b.test.ts': 5, 'c.test.ts': 5 },
      ['a.test.ts'],
    ],
    [
      'a slow machine is allowed for',
      { 'a.test.ts': 29, 'b.test.ts': 10, 'c.test.ts': 10 },
      { 'a.test.ts': 10, 'b.test.ts': 5, 'c.test.ts': 5 },
      [],
    ],
    [
      'a fast machine is not held against the files',
      { 'a.test.ts': 14, 'b.test.ts': 2.5, 'c.test.ts': 2.5 },
      { 'a.test.ts': 10, 'b.test.ts': 5, 'c.test.ts': 5 },
      [],
    ],
  ];
  it.each(cases)('%s', (_, measured, written, expected) => {
    expect(dearerFiles(measured, written).map(({ text }) => text.split(' ', 1)[0])).toEqual(expected);
  });

  const others = { 'b.test.ts': 5, 'c.test.ts': 5 };
  it.each([
    ['two and a half times and 20 s', { 'a.test.ts': 50.1 }, { 'a.test.ts': 20 }, true],
    ['less than two and a half times', { 'a.test.ts': 99 }, { 'a.test.ts': 40 }, false],
    ['less than 20 s', { 'a.test.ts': 24 }, { 'a.test.ts': 4.5 }, false],
    ['a new file by 20 s', { 'a.test.ts': 23.1 }, {}, true],
  ])('growth fails the run only if it is much: %s', (_, measured, written, isMuch) => {
    const [dearer] = dearerFiles({ ...others, ...measured }, { ...others, ...written });
    expect(dearer?.isMuch).toBe(isMuch);
  });

  it('are written for files that are there', () => {
    expect(Object.keys(readSeconds()).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('count the work of this process', () => {
    const before = processorSeconds(process.pid);
    let work = 0;
    const until = process.cpuUsage().user + 100_000;
    while (process.cpuUsage().user < until) work += 1;
    expect(work).toBeGreaterThan(0);
    expect(processorSeconds(process.pid) - before).toBeGreaterThanOrEqual(process.platform === 'linux' ? 0.05 : 0);
  });
});
