// Types of a stored simulation: input, progress and state.
import type { SimulationId } from '../base/ids.ts';
import type { ConfigInput } from '../marketplace-file/read-input.ts';

export type SimulationState = 'running' | 'done' | 'refused' | 'cancelled' | 'failed';

export type SimulationRow = {
  readonly simulationId: SimulationId;
  readonly operator: string;
  readonly days: number;
  readonly state: SimulationState;
  /** Decisions repeated so far, and in total; `all` is null until they are counted. */
  readonly done: number;
  readonly all: number | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

/** The simulated input, and the configuration version that its author saw. */
export type SimulationInput = ConfigInput & { readonly version: number };
