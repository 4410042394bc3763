// The marketplace's settings in the words of the file (contract 7.6).
import { formOf } from './configured-form.rules.ts';
import { FOREVER, type MarketplaceForm, MarketplaceSchema } from './marketplace.schema.ts';
import type { MarketplaceSettings } from './settings.ts';

/** Members in the order of the file; equal settings have forms that are equal as JSON text. */
export function settingsForm({ retention, ...settings }: MarketplaceSettings): MarketplaceForm {
  const terms = Object.entries(retention).map(([name, term]) => [name, term ?? FOREVER] as const);
  return formOf(MarketplaceSchema, { ...settings, retention: Object.fromEntries(terms) });
}
