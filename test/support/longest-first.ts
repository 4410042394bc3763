// The order of the test files: the longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Vitest begins with the largest files, which are not the longest in time. Two workers begin with two of these, so one that computes and one
 * that waits for a lease to end take turns.
 */
const LONGEST = [
  'test/browser/every-page.test.ts',
  'test/fuzz/every-route.test.ts',
  'test/faults/roles.test.ts',
  'test/routing/storm.test.ts',
  'test/faults/kill.test.ts',
  'test/ledger/money.test.ts',
  'test/faults/backup-under-load.test.ts',
  'test/web/build.test.ts',
  'test/simulation/simulate.test.ts',
  'test/routing/scenarios.test.ts',
  'test/demo/places.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((path) => moduleId.endsWith(path));
      return rank === -1 ? LONGEST.length : rank;
    };
    // A sequencer's, not an array's.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
