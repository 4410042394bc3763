// What the routes are built of, and how a scope learns whose a credential is and what is in force for its owner (contract 1.10, 2).
import { strict as assert } from 'node:assert';
import type { Logger } from 'pino';
import type { Regions } from '../base/regions.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Authenticator } from '../credentials/authenticator.ts';
import type { DeliveryChannel } from '../deliveries/channels/channel.ts';
import type { ExportSlots } from '../deliveries/export/export-slots.ts';
import type { IngestResponse, IngestContext } from '../leads/ingest-lead.ts';
import type { RefusedBodyLimit } from '../leads/submission-limits.ts';
import type { StoreResult, Submission } from '../leads/store-submissions.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { MicroBatch } from '../platform/database/micro-batch.ts';
import type { Wall } from '../platform/database/tenant.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { OneAtATime } from '../platform/one-at-a-time.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import type { Simulations } from '../simulation/simulations.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';

export type CurrentSupplier = { readonly config: SupplierConfig; readonly mapping: CompiledFieldMapping };

export type ApiOptions = {
  readonly database: Database;
  readonly wall: Wall;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly trustProxy: readonly string[];
  /** Told once of a proxy nearby that `trustProxy` does not name. */
  readonly onUntrustedProxy: (address: string) => void;
  /** Whether metrics are served on a port of their own, and so not beside the API. */
  readonly hasStatusPort: boolean;
  readonly authenticator: Authenticator;
  readonly sessions: SessionKeeper;
  /** Whether every operator must have a second factor. */
  readonly requireTotp: boolean;
  /** The longest that anything in the console's overview is cached; by default each part as long as suits it. */
  readonly overviewMaxAgeMs?: number;
  readonly simulations: Simulations;
  readonly batch: MicroBatch<Submission, StoreResult>;
  /** Null for a key that the configuration in memory does not hold. */
  readonly supplierOf: (supplierKey: string) => CurrentSupplier | null;
  readonly buyerOf: (buyerKey: string) => Buyer | null;
  /** Reads the configuration anew, for an owner that may have been added a moment ago. */
  readonly refresh: () => Promise<unknown>;
  readonly scoreWeights: () => ScoreWeights;
  /** Which codes a lead's state may be. */
  readonly regions: () => Regions;
  readonly currency: () => string;
  /** Keys the hashes of persons. */
  readonly personPepper: Buffer;
  /** What the marketplace calls itself. */
  readonly marketplaceName: () => string;
  readonly returnRateOf: (supplierKey: string) => number;
  readonly refusedBodies: RefusedBodyLimit;
  readonly onResponse: (kind: IngestResponse['kind']) => void;
  /** Whether the database holds a demo that works here: its inbox, its links and its operator. */
  readonly isDemo: () => boolean;
  /** For tests of partners' endpoints. */
  readonly webhook: DeliveryChannel;
  readonly allowTargets: AllowedTargets;
  /** Called when something waits to be sent. */
  readonly onQueued: () => void;
  /** The address that partners share their sheets with; null where there is none. */
  readonly serviceAccountEmail: string | null;
  /** The title of the sheet that is appended to; null where it cannot be found out now. */
  readonly sheetNameOf: (spreadsheetId: string) => Promise<string | null>;
};

/** For routes of our own pages, which hear of changes as they happen. */
export type PageOptions = ApiOptions & { readonly live: LiveHub };

export type PartnerOptions = PageOptions & {
  /** The database behind the second wall, as `forTenant` lets it through. */
  readonly walled: Database;
  /** What the API and the portal share, so that a partner has it once. */
  readonly exportSlots: ExportSlots;
  readonly changeAccount: OneAtATime;
};

type Owned = { readonly ownerKey: string };
type Found<Principal> = Principal | null | Promise<Principal | null>;

/** Answers at once where both the credential and its owner are known, which is nearly always. */
export function withOwner<Principal extends Owned>(
  found: Found<Principal>,
  ownerOf: (key: string) => unknown,
  refresh: ApiOptions['refresh'],
): Found<Principal> {
  if (!(found instanceof Promise) && (found === null || ownerOf(found.ownerKey) !== null)) return found;
  return withOwnerReadAnew(found, ownerOf, refresh);
}

async function withOwnerReadAnew<Principal extends Owned>(
  found: Found<Principal>,
  ownerOf: (key: string) => unknown,
  refresh: ApiOptions['refresh'],
): Promise<Principal | null> {
  const principal = await found;
  if (principal === null || ownerOf(principal.ownerKey) !== null) return principal;
  await refresh();
  return ownerOf(principal.ownerKey) === null ? null : principal;
}

/** Of an owner whose credential was found to be in force. */
export function known<Value>(value: Value | null): Value {
  assert(value !== null, 'an authenticated owner is not in force');
  return value;
}

/** What a submission of a supplier is read and scored by, as it is in force at the moment of the call. */
export function ingestContextOf(options: ApiOptions): (supplierKey: string) => IngestContext {
  const { supplierOf, scoreWeights, regions, returnRateOf, refusedBodies } = options;
  return (supplierKey) => ({
    supplierKey,
    mapping: known(supplierOf(supplierKey)).mapping,
    regions: regions(),
    weights: scoreWeights(),
    returnRate: returnRateOf(supplierKey),
    takeRefusedBody: (now) => refusedBodies.take(supplierKey, now),
  });
}
