// A replay as it is stored (decision 087).
import type { ReplayId, Uuid } from '../../base/ids.ts';

export type ReplayState = 'running' | 'done' | 'stopped';
export type ReplayStatus = 'Failed' | 'Confirmed';

export type ReplayRow = {
  readonly replayId: ReplayId;
  readonly buyerKey: string;
  readonly operator: string;
  readonly status: ReplayStatus;
  readonly from: Date;
  readonly until: Date;
  readonly planned: number;
  readonly state: ReplayState;
  readonly queued: number;
  /** By cause. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
};

export type RunningReplay = ReplayRow & { readonly afterAt: Date | null; readonly afterId: Uuid | null };
