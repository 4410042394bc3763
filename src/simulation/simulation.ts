// A simulation as it is stored: its input, how far it has come, and its state.
import type { SimulationId } from '../base/ids.ts';
import type { ConfigInput } from '../marketplace-file/read-input.ts';

export type SimulationState = 'running' | 'done' | 'refused' | 'cancelled' | 'failed';

export type SimulationRow = {
  readonly simulationId: SimulationId;
  readonly operator: string;
  readonly days: number;
  readonly state: SimulationState;
  /** Decisions repeated, and of how many; null until they are counted. */
  readonly done: number;
  readonly all: number | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

/** What is tried, and the version of the configuration that its author had seen. */
export type SimulationInput = ConfigInput & { readonly version: number };
