// Tests which starts of marketplaces the rule finds, and what allows them.
import { describe, expect, it } from 'vitest';

import { marketplacesPerTest } from './marketplace-rules.ts';

const linesOf = (...lines: readonly string[]): number[] => marketplacesPerTest('test/a.test.ts', lines.join('\n'));
const own = (title: string): string => `it('${title}', async () => void (await startTestMarketplace({ yaml })));`;

describe('A marketplace per test', () => {
  it.each([
    ['in beforeEach', 'beforeEach(async () => {', '  market = await startTestMarketplace({ yaml });', '});'],
    ['for each case', `it.each([1, 2])('%i', async () => {`, '  await startTestMarketplace({ yaml });', '});'],
    ['of a slice', 'beforeEach(async () => {', '  market = await openNoticeMarket({ yaml });', '});'],
    ['for cases', `it.for([1])('%i', () => {`, '  return startClaimMarket(yaml);', '});'],
  ])('is found %s', (_, ...lines) => expect(linesOf(...lines)).toEqual([2]));

  it('is found in the third test that has one, with the two before', () => {
    expect(linesOf(own('a'), own('b'))).toEqual([]);
    expect(linesOf(own('a'), own('b'), own('c'))).toEqual([1, 2, 3]);
  });

  it('is found in a function of the file that tests call', () => {
    const lines = [
      'const begin = () => startTestMarketplace({ yaml });',
      'async function open() {',
      '  await begin();',
      '}',
    ];
    expect(linesOf(...lines, 'beforeEach(() => open());')).toEqual([5]);
    expect(linesOf(...lines, 'beforeAll(() => open());')).toEqual([]);
  });

  it('is allowed with a reason right above the test, the call or the function', () => {
    const note = '// Own marketplace: its clock stands still.';
    const call = 'beforeEach(() => startTestMarketplace({ yaml }));';
    expect(linesOf(note, call)).toEqual([]);
    expect(linesOf('beforeEach(async () => {', `  ${note}`, '  await startTestMarketplace({ yaml });', '});')).toEqual(
      [],
    );
    expect(linesOf(note, 'const begin = () => startTestMarketplace();', 'beforeEach(() => begin());')).toEqual([]);
    expect(linesOf(note, '', call)).toEqual([3]);
    expect(linesOf('// Own marketplace:', call)).toEqual([2]);
  });

  it('is no second process on the database of a shared one', () => {
    expect(linesOf('beforeEach(() => startTestMarketplace({ yaml, on: market.testDatabase }));')).toEqual([]);
  });
});
