// Exports the current configuration as a marketplace file; applying it changes nothing (contract 7.5).
import type { JsonValue } from '../base/json.ts';
import { buyerForm } from '../buyers/buyer-form.rules.ts';
import type { SavedBuyer } from '../buyers/buyer-row.rules.ts';
import { lockConfigVersion } from '../marketplace/config-version.ts';
import { statedVertical } from '../marketplace/vertical-form.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import { withoutUnset } from './field-changes.rules.ts';
import { type ExportedContent, fileText } from './file-text.ts';
import { readConfiguration } from './read-configuration.ts';
import { settingsForm } from '../marketplace/settings.ts';

type Form = Readonly<Record<string, JsonValue>>;

/** `content` is the file as JSON, `text` as YAML; either can be applied, because YAML includes JSON. */
export type ExportedFile = { readonly content: ExportedContent; readonly text: string };

export async function exportFile(tx: Tx): Promise<ExportedFile> {
  const { content } = await exportContent(tx);
  return { content, text: fileText(content) };
}

/** Verticals, suppliers, partners and offers ordered by key, including suspended and closed ones. `version` is the exported version. */
export async function exportContent(tx: Tx): Promise<{ content: ExportedContent; version: number }> {
  // The lock makes the reads below consistent with each other.
  const version = await lockConfigVersion(tx);
  const { settings, verticals, suppliers, buyers, offers } = await readConfiguration(tx);
  const offersOf = Map.groupBy(offers.values(), ({ buyerKey }) => buyerKey);
  const content: ExportedContent = {
    marketplace: settingsForm(settings),
    ...(verticals.size === 0 ? {} : { verticals: [...verticals.values()].map(statedVertical) }),
    suppliers: [...suppliers.values()].map((supplier) => compact(supplierForm(supplier))),
    partners: [...buyers.values()].map((buyer) => partnerForm(buyer, offersOf.get(buyer.buyerKey) ?? [])),
  };
  return { content, version };
}

/** A missing member is read back as unset, but a missing list of editable fields as all of them, so that list is always written. */
function partnerForm(buyer: SavedBuyer, offers: readonly Offer[]): Form {
  return {
    ...compact(buyerForm(buyer)),
    editableFields: buyer.editableFields,
    offers: offers.map((offer) => compact(offerForm(offer))),
  };
}

function compact(form: Form): Form {
  return (withoutUnset(form, '') ?? {}) as Form;
}
