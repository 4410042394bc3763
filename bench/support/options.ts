// How the benchmark was asked to run; every section gets the same.

export type BenchOptions = {
  /** Where the databases lie. */
  readonly directory: string;
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly progress: (message: string) => void;
};
