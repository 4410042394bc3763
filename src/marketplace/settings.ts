// The settings that the whole marketplace shares (contract 7.6).
import { accentShades } from '../base/accent-shades.ts';
import type { DeepReadonly } from '../base/json.ts';
import type { Regions } from '../base/regions.ts';
import type { PageBrand } from './brand.schema.ts';
import { withDefaults, formOf } from './configured-form.rules.ts';
import { FOREVER, type MarketplaceForm, MarketplaceSchema } from './marketplace.schema.ts';

/** The key of the settings, where other configured things have keys of their own. */
export const MARKETPLACE_KEY = 'marketplace';

type Form = DeepReadonly<MarketplaceForm>;

export type Strategy = Form['strategy'];
/** Points of the score's five parts; the score is scaled to 0–100 by their sum. */
export type ScoreWeights = Form['scoreWeights'];
/** Retention terms; null is forever. */
export type Retention = { readonly [Name in keyof Form['retention']]: number | null };

/** The members of `marketplace.schema.ts`. */
export type MarketplaceSettings = Omit<Form, 'regions' | 'retention'> & {
  readonly regions: Regions;
  readonly retention: Retention;
};

export function settingsOfForm({ retention, ...form }: MarketplaceForm): MarketplaceSettings {
  return { ...form, retention: termsOfForm(retention) };
}

function termsOfForm(terms: MarketplaceForm['retention']): Retention {
  const stored = Object.entries(terms).map(([name, term]) => [name, term === FOREVER ? null : term]);
  return Object.fromEntries(stored) as Retention;
}

/** The settings of a new installation. */
export const defaultSettings: MarketplaceSettings = settingsOfForm(
  withDefaults(MarketplaceSchema, {}) as MarketplaceForm,
);

/** As pages, mails and documents show it. */
export function brandOf({ name, brand }: Pick<MarketplaceSettings, 'name' | 'brand'>): PageBrand {
  return { name, shades: accentShades(brand.accentColor), logo: brand.logo, helpEmail: brand.helpEmail };
}

/** Requests per second that refill a bucket of `burst` requests. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };

export type HistoryRecord = {
  readonly kind: 'marketplace' | 'vertical' | 'supplier' | 'buyer' | 'offer';
  readonly key: string;
  /** The whole current definition; must survive JSON. */
  readonly definition: object;
};

export type StoredSettings = {
  readonly settings: MarketplaceSettings;
  /** Incremented by every configuration change. */
  readonly version: number;
  /** The service's own origin while it runs the demo: an additional allowed target. */
  readonly demoOrigin: string | null;
};

/** Identifies a configured thing. */
export type ConfigKey = Pick<HistoryRecord, 'kind' | 'key'>;

export type ChangedKey = ConfigKey & {
  /** When it was first changed after the version that the editor has seen. */
  readonly since: Date;
};

/** Members in the order of the file, so that equal settings have forms that are equal as JSON text. */
export function settingsForm({ retention, ...settings }: MarketplaceSettings): MarketplaceForm {
  const terms = Object.entries(retention).map(([name, term]) => [name, term ?? FOREVER] as const);
  return formOf(MarketplaceSchema, { ...settings, retention: Object.fromEntries(terms) });
}
