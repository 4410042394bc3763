// Tests how questions of reports are read from texts (contract 12.1).
import { describe, expect, it } from 'vitest';

import { readQuestion } from './report-question.rules.ts';
import { reportDimensions } from './report.schema.ts';

describe('A filter of a report', () => {
  it.each(reportDimensions)('by %s cannot hold what no text can be, however often it is encoded', (name) => {
    for (const text of ['%00', 'a,b%00c', '%ED%A0%80']) {
      const read = readQuestion({ [name]: text }, 'operator');
      expect(read).toMatchObject({ ok: false, fault: { field: name } });
    }
    expect(readQuestion({ [name]: 'a%2Cb,c%20d' }, 'operator')).toMatchObject({
      ok: true,
      asked: { query: { filters: { [name]: ['a,b', 'c d'] } } },
    });
  });
});
