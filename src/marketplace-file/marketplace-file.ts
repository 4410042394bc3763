// A marketplace file as understood: every member checked and normalised, with the places that later faults may have to name (contract 7.6).
import type { BuyerConfig } from '../buyers/buyer.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Offer } from '../routing/offer.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { FileSettings } from '../buyers/file-settings.ts';

/** Line and column count from 1; `path` is such as `partners[0].offers[1].payout`, empty for the whole file. */
export type Position = { readonly line: number; readonly column: number; readonly path: string };
export type FileFault = Position & { readonly message: string };

export type PartnerEntry = {
  readonly buyer: BuyerConfig;
  /** Starting values; only what the file states. */
  readonly settings: FileSettings;
  readonly offers: readonly Offer[];
};

/** A URL that the service will call: whoever saves the file asks DNS about its host first. */
export type FileTarget = { readonly url: string; readonly position: Position };

export type MarketplaceFile = {
  /** null where the file says nothing of it, which leaves the settings as they are. */
  readonly marketplace: MarketplaceSettings | null;
  readonly suppliers: readonly SupplierConfig[];
  readonly partners: readonly PartnerEntry[];
  /** Where the file says which regions are taken. */
  readonly regionsPosition: Position | null;
  readonly targets: readonly FileTarget[];
  /** Where each offer's key stands. */
  readonly offerPositions: ReadonlyMap<string, Position>;
};
