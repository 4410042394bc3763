// Writes the configuration in force as a marketplace file: applying it again changes nothing (contract 7, `export-config`).
import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';

import { buyerForm } from '../buyers/buyer-form.rules.ts';
import type { SavedBuyer } from '../buyers/buyer-row.rules.ts';
import { lockConfigVersion } from '../marketplace/lock-version.ts';
import type { Tx } from '../platform/database/database.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import type { Offer } from '../routing/offer.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import { withoutUnset } from './field-changes.rules.ts';
import { readConfiguration } from './read-configuration.ts';
import { settingsForm } from './settings-form.rules.ts';

type Form = Readonly<Record<string, unknown>>;

/** `content` is the file as JSON has it, `text` as people write it; either can be applied, since YAML takes JSON, too. */
export type ExportedFile = { readonly content: Form; readonly text: string };

const HEADER = ' The whole configuration: "leadmarket apply" of this file changes nothing.';
const LINE_WIDTH = 120;

/** Suppliers, partners and offers in the order of their keys; suspended and closed ones, too. */
export async function exportFile(tx: Tx): Promise<ExportedFile> {
  // One moment's configuration, not the halves of two.
  await lockConfigVersion(tx);
  const { settings, suppliers, buyers, offers } = await readConfiguration(tx);
  const offersOf = Map.groupBy(offers.values(), ({ buyerKey }) => buyerKey);
  const content = {
    marketplace: settingsForm(settings),
    suppliers: [...suppliers.values()].map((supplier) => compact(supplierForm(supplier))),
    partners: [...buyers.values()].map((buyer) => partnerForm(buyer, offersOf.get(buyer.buyerKey) ?? [])),
  };
  return { content, text: yamlOf(content) };
}

/** What is left out is read back as not set; an empty list of editable fields would be read as all of them. */
function partnerForm(buyer: SavedBuyer, offers: readonly Offer[]): Form {
  return {
    ...compact(buyerForm(buyer)),
    editableFields: buyer.editableFields,
    offers: offers.map((offer) => compact(offerForm(offer))),
  };
}

function isFlatList(value: unknown): boolean {
  return isSeq(value) && value.items.every((item) => !isCollection(item));
}

function compact(form: Form): Form {
  return (withoutUnset(form, '') ?? {}) as Form;
}

function yamlOf(content: Form): string {
  const document = new Document(content, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = HEADER;
  visit(document, {
    // What holds words and lists of words only reads best on one line, as people write it: channels, caps, hours.
    Collection(_, node) {
      const inner = node.items.map((item) => (isPair(item) ? item.value : item));
      const isFlat = inner.every((value) =>
        isMap(node) ? isFlatList(value) || !isCollection(value) : !isCollection(value),
      );
      const isEntry = isMap(node) && node.items.some((item) => isScalar(item.key) && item.key.value === 'key');
      if (isFlat && !isEntry) node.flow = true;
    },
  });
  return document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: true });
}
