// A part of the marketplace file, sent by a form of the console: lists its keys and completes it from the current configuration (contract 7.5).
import type { JsonValue } from '../base/json.ts';
import { buyerForm } from '../buyers/buyer-form.rules.ts';
import { MARKETPLACE_KEY, type ConfigKey, settingsForm } from '../marketplace/settings.ts';
import { verticalForm } from '../marketplace/vertical-form.rules.ts';
import { offerForm } from '../routing/offer-form.rules.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import type { Configuration } from './difference.rules.ts';

type Entry = Readonly<Record<string, JsonValue>>;

/** Entries and their offers are objects; `parseFile` checks their members. */
export type Fragment = {
  readonly marketplace?: Entry;
  readonly verticals?: readonly Entry[];
  readonly suppliers?: readonly Entry[];
  readonly partners?: readonly Entry[];
};

/** `path` is the position in the fragment. */
export type FragmentFault = { readonly path: string; readonly message: string };

type Named = ConfigKey & { readonly path: string };

/** The kind and key of everything in the fragment. */
export function findNamedKeys({ marketplace, verticals = [], suppliers = [], partners = [] }: Fragment): Named[] {
  return [
    ...(marketplace === undefined ? [] : [{ kind: 'marketplace', key: MARKETPLACE_KEY, path: 'marketplace' } as const]),
    ...verticals.flatMap((entry, index) => named('vertical', entry, `verticals[${index}]`)),
    ...suppliers.flatMap((entry, index) => named('supplier', entry, `suppliers[${index}]`)),
    ...partners.flatMap((partner, index) => [
      ...named('buyer', partner, `partners[${index}]`),
      ...offersOf(partner).flatMap((offer, offerIndex) =>
        named('offer', offer, `partners[${index}].offers[${offerIndex}]`),
      ),
    ]),
  ];
}

function named(kind: ConfigKey['kind'], { key }: Entry, path: string): Named[] {
  return typeof key === 'string' ? [{ kind, key: key.trim(), path }] : [];
}

/**
 * The fragment as a file that changes nothing else. A member that an entry leaves out keeps its current value, while a file would set it
 * to the default; null sets the default. Each setting of a partner can be left out on its own, as in a file.
 */
export function completeFragment(
  fragment: Fragment,
  { settings, verticals, suppliers, buyers, offers }: Configuration,
): Fragment {
  const completed = (form: Entry | undefined, entry: Entry): Entry => ({ ...form, ...entry });
  return {
    ...(fragment.marketplace === undefined
      ? {}
      : { marketplace: completed(settingsForm(settings), fragment.marketplace) }),
    verticals: (fragment.verticals ?? []).map((entry) => {
      const vertical = verticals.get(keyOf(entry));
      return completed(vertical && verticalForm(vertical), entry);
    }),
    suppliers: (fragment.suppliers ?? []).map((entry) => {
      const supplier = suppliers.get(keyOf(entry));
      return completed(supplier && supplierForm(supplier), entry);
    }),
    partners: (fragment.partners ?? []).map((entry) => {
      const buyer = buyers.get(keyOf(entry));
      const { settings: _own, ...form } = buyer === undefined ? {} : buyerForm(buyer);
      const offersAfter = offersOf(entry).map((offer) => {
        const before = offers.get(keyOf(offer));
        return completed(before?.buyerKey === keyOf(entry) ? offerForm(before) : undefined, offer);
      });
      return { ...completed(form, entry), ...(Array.isArray(entry['offers']) ? { offers: offersAfter } : {}) };
    }),
  };
}

/** Keys that the fragment is to create and that exist already. A partner with offers may exist: then only the offers are new. */
export function findTakenKeys(
  fragment: Fragment,
  { verticals, suppliers, buyers, offers }: Configuration,
): FragmentFault[] {
  return findNamedKeys(fragment).flatMap(({ kind, key, path }): FragmentFault[] => {
    const isTaken =
      kind === 'vertical'
        ? verticals.has(key)
        : kind === 'supplier'
          ? suppliers.has(key)
          : kind === 'offer'
            ? offers.has(key)
            : kind === 'buyer' &&
              buyers.has(key) &&
              !fragment.partners?.some((entry) => keyOf(entry) === key && offersOf(entry).length > 0);
    const word = kind === 'buyer' ? 'partner' : kind;
    return isTaken ? [{ path: `${path}.key`, message: `"${key}" is taken: there is such a ${word} already` }] : [];
  });
}

function keyOf({ key }: Entry): string {
  return typeof key === 'string' ? key.trim() : '';
}

function offersOf({ offers }: Entry): Entry[] {
  return Array.isArray(offers) ? (offers as Entry[]) : [];
}
