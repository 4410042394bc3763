// Holds a part of the configuration in memory as it is in force, reloaded by the watch when the version moves.
import { strict as assert } from 'node:assert';

import type { ConfigWatch } from './config-watch.ts';

export type CurrentConfig<Value> = {
  /** What was loaded last; the watch has to have looked once before. */
  current(): Value;
};

export function keepCurrent<Value>(watch: ConfigWatch, load: () => Promise<Value>): CurrentConfig<Value> {
  let loaded: { value: Value } | null = null;
  watch.onChange(async () => {
    loaded = { value: await load() };
  });
  return {
    current() {
      assert(loaded !== null, 'the configuration was asked for before it had been read');
      return loaded.value;
    },
  };
}
