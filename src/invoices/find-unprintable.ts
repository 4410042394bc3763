// Finds the names and addresses that PDFs cannot show, before a document is issued: those with characters that no font has.
import type { Buyer } from '../buyers/buyer.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { plain } from './document-text.rules.ts';

/** Names and addresses of one account. */
export type PrintedTexts = { readonly owner: string; readonly texts: readonly string[] };

export type Unprintable = {
  readonly owner: string;
  readonly text: string;
  /** Each once. */
  readonly characters: string;
};

/** One text of each account that has any. */
export async function findUnprintable(printed: readonly PrintedTexts[]): Promise<Unprintable[]> {
  // Imported on demand, with the libraries that read fonts.
  const { findMissingCharacters } = await import('./pdf/choose-fonts.ts');
  const missing = new Set(await findMissingCharacters(printed.flatMap(({ texts }) => texts)));
  if (missing.size === 0) return [];
  return printed.flatMap(({ owner, texts }) => {
    const found = texts
      .map((text) => ({
        owner,
        text,
        characters: [...new Set(plain(text))].filter((one) => missing.has(one)).join(''),
      }))
      .find(({ characters }) => characters !== '');
    return found === undefined ? [] : [found];
  });
}

export function sellerTexts({ name, billing }: Pick<MarketplaceSettings, 'name' | 'billing'>): PrintedTexts {
  return { owner: 'the marketplace', texts: [name, ...billing.address, billing.taxId ?? ''] };
}

export function partnerTexts({ buyerKey, name, billing }: Pick<Buyer, 'buyerKey' | 'name' | 'billing'>): PrintedTexts {
  return { owner: `partner ${buyerKey}`, texts: [name, ...billing.address, billing.taxId ?? ''] };
}

export function supplierTexts({ supplierKey, name }: Pick<SupplierConfig, 'supplierKey' | 'name'>): PrintedTexts {
  return { owner: `supplier ${supplierKey}`, texts: [name] };
}

/** Accounts that are named. */
const NAMED = 3;

/** Null if there is nothing to say. */
export function unprintableNote(found: readonly Unprintable[]): string | null {
  if (found.length === 0) return null;
  const named = found.slice(0, NAMED).map(({ owner, text, characters }) => `${owner} ("${text}": ${characters})`);
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : '';
  return `PDFs cannot show all characters of ${named.join(', ')}${more}`;
}
