// The options of a benchmark run, which every section receives.

export type BenchOptions = {
  /** Where the databases lie. */
  readonly directory: string;
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  /** How long to wait before each measurement for other programs to be quiet, in seconds; 0 for not at all. */
  readonly patience: number;
  /** How many leads were sold before, for the measurements that depend on it. */
  readonly known: readonly number[];
  /** Of all partners together, for the partner with a long past. */
  readonly deliveries: number;
  /** Of the steady load of `memory`; 0 to leave it out. */
  readonly minutes: number;
  readonly progress: (message: string) => void;
};
