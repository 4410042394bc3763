// The settings that the whole marketplace shares (contract 7.6).
import type { DeepReadonly } from '../base/json.ts';
import type { Regions } from '../base/regions.ts';
import { withDefaults } from './configured-form.rules.ts';
import { FOREVER, type MarketplaceForm, MarketplaceSchema } from './marketplace.schema.ts';

/** Under which they stand where other things have keys of their own. */
export const MARKETPLACE_KEY = 'marketplace';

type Form = DeepReadonly<MarketplaceForm>;

export type Strategy = Form['strategy'];
/** Points of the score's five parts; the score is scaled to 0–100 by their sum. */
export type ScoreWeights = Form['scoreWeights'];
/** How long things are kept; null is for ever. */
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

/** As shipped. */
export const defaultSettings: MarketplaceSettings = settingsOfForm(
  withDefaults(MarketplaceSchema, {}) as MarketplaceForm,
);

/** Requests per second that refill a bucket of `burst` requests. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };

export type HistoryRecord = {
  readonly kind: 'marketplace' | 'supplier' | 'buyer' | 'offer';
  readonly key: string;
  /** The whole definition as it now is; must survive JSON. */
  readonly definition: object;
};

export type StoredSettings = {
  readonly settings: MarketplaceSettings;
  /** Counts up with every change of configuration. */
  readonly version: number;
  /** The service's own origin while it shows the demo: a target that is then allowed. */
  readonly demoOrigin: string | null;
};

/** One of the things that configuration consists of. */
export type ConfigThing = Pick<HistoryRecord, 'kind' | 'key'>;

export type ChangedThing = ConfigThing & {
  /** When it was first changed after the look. */
  readonly since: Date;
};
