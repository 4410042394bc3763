// A parsed marketplace file: every member checked and normalized, with positions for later error messages (contract 7.6).
import type { BuyerConfig, FileSettings } from '../buyers/buyer.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import type { Offer } from '../routing/offer.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';

/** Line and column count from 1; a `path` is like `partners[0].offers[1].payout`, and empty for the whole file. */
export type Position = { readonly line: number; readonly column: number; readonly path: string };
export type FileFault = Position & { readonly message: string };

export type PartnerEntry = {
  readonly buyer: BuyerConfig;
  /** Starting values; only what the file states. */
  readonly settings: FileSettings;
  readonly offers: readonly Offer[];
};

/** A URL that the service will call; `checkFileTargets` must check its host before the file is saved. */
export type FileTarget = { readonly url: string; readonly position: Position };

export type MarketplaceFile = {
  /** null if the file leaves it out, which leaves the settings unchanged. */
  readonly marketplace: MarketplaceSettings | null;
  readonly verticals: readonly Vertical[];
  readonly suppliers: readonly SupplierConfig[];
  readonly partners: readonly PartnerEntry[];
  /** The position of the accepted regions. */
  readonly regionsPosition: Position | null;
  readonly targets: readonly FileTarget[];
  /** The position of each offer's key. */
  readonly offerPositions: ReadonlyMap<string, Position>;
  /** Where suppliers, partners and offers state members that depend on other things, under `ownPosition`. */
  readonly ownPositions: ReadonlyMap<string, Position>;
};
