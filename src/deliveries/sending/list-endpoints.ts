// Lists every endpoint that something is sent to, with its health, for the operator (contract 4.12).
import type { EndpointKey } from '../../endpoints/breaker.rules.ts';
import type { Channel } from '../../buyers/buyer.ts';
import { maskedTargetOf } from '../../buyers/channel-target.rules.ts';
import type { Tx } from '../../platform/database/database.ts';
import { maskTarget } from '../../platform/outbound/target.rules.ts';
import { type EndpointRank, type EndpointRow, listEndpointsSql, WAITING_COUNTED } from './endpoint-list.sql.ts';

export type EndpointState = 'well' | 'unsteady' | 'failing' | 'disabled';

type UnchangedMember =
  | 'name'
  | 'ownerStatus'
  | 'isPrimary'
  | 'failures'
  | 'nextProbeAt'
  | 'lastError'
  | 'lastFailedAt'
  | 'waiting'
  | 'outages'
  | 'outageSeconds'
  | 'hours';

export type ListedEndpoint = EndpointPosition &
  Pick<EndpointRow, UnchangedMember> & {
    /** Masked, so that it can be shown; empty if it is not configured. */
    readonly target: string;
    /** `unsteady`: it has failed since its last success, but not often enough to open the breaker. */
    readonly state: EndpointState;
    /** When it was disabled or its breaker opened; else null. */
    readonly since: Date | null;
    /** Whether more jobs wait than are counted. */
    readonly waitingIsMore: boolean;
  };

export type EndpointPosition = EndpointKey & { readonly rank: EndpointRank };

export type EndpointQuery = {
  readonly onlyUnhealthy: boolean;
  /** A part of the key or name; null for all. */
  readonly search: string | null;
  /** The position of the last endpoint of the previous page; null for the first page. */
  readonly after: EndpointPosition | null;
  readonly limit: number;
};

/** Short enough that the operator still remembers the causes. */
export const OUTAGE_DAYS = 7;

const DAY_MS = 86_400_000;

/** The least healthy first, then by kind, key and channel. */
export async function listEndpoints(tx: Tx, query: EndpointQuery, now: Date): Promise<ListedEndpoint[]> {
  const { onlyUnhealthy, search, after, limit } = query;
  const rows = await tx.query(listEndpointsSql, {
    afterRank: after?.rank ?? -1,
    afterKind: after?.ownerKind ?? '',
    afterKey: after?.ownerKey ?? '',
    afterChannel: after?.channel ?? '',
    limit,
    onlyUnhealthy,
    search: search?.toLowerCase() ?? null,
    now,
    outagesSince: new Date(now.getTime() - OUTAGE_DAYS * DAY_MS),
  });
  return rows.map((row) => ({
    ownerKind: row.ownerKind,
    ownerKey: row.ownerKey,
    name: row.name,
    ownerStatus: row.ownerStatus,
    channel: row.channel,
    isPrimary: row.isPrimary,
    target: targetOf(row),
    state: stateOf(row),
    failures: row.failures,
    since: row.disabledAt ?? row.openedAt,
    nextProbeAt: row.disabledAt === null ? row.nextProbeAt : null,
    lastError: row.lastError,
    lastFailedAt: row.lastFailedAt,
    waiting: Math.min(row.waiting, WAITING_COUNTED),
    waitingIsMore: row.waiting > WAITING_COUNTED,
    outages: row.outages,
    outageSeconds: row.outageSeconds,
    hours: row.hours,
    rank: row.rank,
  }));
}

function stateOf({ disabledAt, openedAt, failures }: EndpointRow): EndpointState {
  if (disabledAt !== null) return 'disabled';
  if (openedAt !== null) return 'failing';
  return failures > 0 ? 'unsteady' : 'well';
}

function targetOf(row: EndpointRow): string {
  if (row.ownerKind === 'supplier') return row.callbackUrl === null ? '' : maskTarget(row.callbackUrl);
  return maskedTargetOf(row.channel as Channel, row);
}
