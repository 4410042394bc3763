// The order of the test files: the longest begin first, so that none of them runs alone at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest begins with the largest files, which are not the longest in time. */
const LONGEST = ['test/browser/every-page.test.ts', 'test/faults/backup-under-load.test.ts'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => LONGEST.some((path) => moduleId.endsWith(path));
    // A sequencer's, not an array's.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
