// The order of the test files: the dearest begin first, so that none of them runs alone at the end.
import { relative } from 'node:path';

import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { readSeconds } from './processor-budgets.ts';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = readSeconds();
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      seconds[relative(this.ctx.config.root, moduleId)] ?? 0;
    // A sequencer's, not an array's.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}
