// The options that all routes are built with, and helpers that find the current configuration of a credential's owner (contract 1.10, 2).
import { strict as assert } from 'node:assert';
import type { Logger } from 'pino';
import type { Regions } from '../base/regions.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Authenticator } from '../credentials/authenticator.ts';
import type { DeliveryChannels } from '../deliveries/channels/channel.ts';
import type { ExportSlots } from '../deliveries/export/export-slots.ts';
import type { IngestResponse, IngestContext } from '../leads/ingest-lead.ts';
import type { RefusedBodyLimit } from '../leads/submission-limits.ts';
import type { StoreResult, Submission } from '../leads/store-submissions.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { PageBrand } from '../marketplace/brand.schema.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { MicroBatch } from '../platform/database/micro-batch.ts';
import type { Reads } from '../platform/database/replica.ts';
import type { Wall } from '../platform/database/tenant.ts';
import type { RateLimiter } from '../platform/http/rate-limit.ts';
import type { SupplierVerticals } from '../leads/supplier-verticals.rules.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { OneAtATime } from '../platform/one-at-a-time.ts';
import type { Mailer } from '../platform/outbound/mail/mail.ts';
import type { OpenIdProvider } from '../platform/outbound/openid-provider.ts';
import type { AllowedTargets } from '../platform/outbound/target.rules.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import type { PasswordSlots } from '../sessions/password-slots.ts';
import type { SessionKeeper } from '../sessions/session-keeper.ts';
import type { Simulations } from '../simulation/simulations.ts';
import type { CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { ListParts } from './list-parts.ts';

export type CurrentSupplier = {
  readonly config: SupplierConfig;
  readonly mapping: CompiledFieldMapping;
  /** Those that its leads may belong to; null where the marketplace has none. */
  readonly verticals: SupplierVerticals | null;
};

export type ApiOptions = {
  readonly database: Database;
  /** For reports, exports, searches and the lists of the pages. What decides, and what the API returns by its id, uses `database`. */
  readonly reads: Reads;
  readonly wall: Wall;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Null where no traces are exported. */
  readonly tracing: Tracing | null;
  readonly trustProxy: readonly string[];
  /** Names besides that of `publicUrl` under which pages may be used. */
  readonly allowedHosts: readonly string[];
  /** True by default; false in tests, which start many applications with few requests each. */
  readonly compilesRoutes?: boolean;
  /** Called once for a proxy on a private address that `trustProxy` does not name. */
  readonly onUntrustedProxy: (address: string) => void;
  /** Whether metrics have a separate port; then the API does not serve them. */
  readonly hasStatusPort: boolean;
  /** By default one that counts in this process. */
  readonly rateLimiter?: RateLimiter;
  readonly authenticator: Authenticator;
  readonly sessions: SessionKeeper;
  /** Whether every operator must have a second factor. */
  readonly requireTotp: boolean;
  /** Null where operators sign in by password only. */
  readonly openId: OpenIdProvider | null;
  /** The longest that anything in the console's overview is cached; by default each part as long as suits it. */
  readonly overviewMaxAgeMs?: number;
  readonly simulations: Simulations;
  readonly batch: MicroBatch<Submission, StoreResult>;
  /** Null for a key that is missing in the cached configuration. */
  readonly supplierOf: (supplierKey: string) => CurrentSupplier | null;
  readonly buyerOf: (buyerKey: string) => Buyer | null;
  /** Reloads the configuration, for an owner that may have been added a moment ago. */
  readonly refresh: () => Promise<unknown>;
  /** By key, closed ones included. */
  readonly verticals: () => ReadonlyMap<string, Vertical>;
  readonly scoreWeights: () => ScoreWeights;
  /** The codes that a lead's state may have. */
  readonly regions: () => Regions;
  readonly currency: () => string;
  /** The marketplace's, whose days the console counts. */
  readonly timeZone: () => string;
  /** The key of the hashes of contacts. */
  readonly personPepper: Buffer;
  readonly brand: () => PageBrand;
  /** Where people open the service, such as `https://leads.example.com`; null if it is not set. */
  readonly publicUrl: () => string | null;
  /** Sends invitations. */
  readonly mailer: Pick<Mailer, 'send'>;
  /** Without one, mail is kept in the database. */
  readonly hasMailServer: boolean;
  readonly returnRateOf: (supplierKey: string) => number;
  readonly refusedBodies: RefusedBodyLimit;
  readonly onResponse: (kind: IngestResponse['kind']) => void;
  /** Whether the database has an active demo: its inbox, its links and its operator. */
  readonly isDemo: () => boolean;
  /** Send test deliveries. */
  readonly channels: DeliveryChannels;
  /** The keys of partners' named secrets. */
  readonly secretKeys: SecretKeys;
  readonly allowTargets: AllowedTargets;
  /** Called when a delivery was queued for sending. */
  readonly onQueued: () => void;
  /** The address with which partners share their sheets; null when Google Sheets is not set up. */
  readonly serviceAccountEmail: string | null;
  /** The title of the sheet that gets the rows; null when it cannot be read now. */
  readonly sheetNameOf: (spreadsheetId: string) => Promise<string | null>;
};

/** For routes of the portal and the console, whose pages are notified of changes. */
export type PageOptions = ApiOptions & {
  readonly live: LiveHub;
  /** Shared by the API, the portal and the console, so that a partner or supplier has one limit. */
  readonly exportSlots: ExportSlots;
  /** Shared in the same way. */
  readonly listParts: ListParts;
  /** Shared by both sign-in forms. */
  readonly passwordSlots: PasswordSlots;
};

export type PartnerOptions = PageOptions & {
  /** The database with row-level security for the partner of `forTenant`. */
  readonly walled: Database;
  /** The database of `reads`, in the same way. */
  readonly walledReads: Database;
  readonly changeAccount: OneAtATime;
};

type Owned = { readonly ownerKey: string };
type Found<Principal> = Principal | null | Promise<Principal | null>;

/** Synchronous when both the credential and its owner are cached, which is nearly always the case. */
export function withOwner<Principal extends Owned>(
  found: Found<Principal>,
  ownerOf: (key: string) => unknown,
  refresh: ApiOptions['refresh'],
): Found<Principal> {
  if (!(found instanceof Promise) && (found === null || ownerOf(found.ownerKey) !== null)) return found;
  return withRefreshedOwner(found, ownerOf, refresh);
}

async function withRefreshedOwner<Principal extends Owned>(
  found: Found<Principal>,
  ownerOf: (key: string) => unknown,
  refresh: ApiOptions['refresh'],
): Promise<Principal | null> {
  const principal = await found;
  if (principal === null || ownerOf(principal.ownerKey) !== null) return principal;
  await refresh();
  return ownerOf(principal.ownerKey) === null ? null : principal;
}

/** The configuration of an authenticated owner, which must exist. */
export function known<Value>(value: Value | null): Value {
  assert(value !== null, 'an authenticated owner has no configuration');
  return value;
}

/** The current configuration by which a supplier's submission is read and scored. */
export function ingestContextOf(options: ApiOptions): (supplierKey: string) => IngestContext {
  const { supplierOf, scoreWeights, regions, returnRateOf, refusedBodies } = options;
  return (supplierKey) => {
    const { mapping, verticals } = known(supplierOf(supplierKey));
    return {
      ...{ supplierKey, mapping, verticals },
      regions: regions(),
      weights: scoreWeights(),
      returnRate: returnRateOf(supplierKey),
      takeRefusedBody: (now) => refusedBodies.take(supplierKey, now),
    };
  };
}
