// Finds the page with the form that edits a change, to reopen the change there.
import type { Fragment, ConfigurationInput } from './configuration-api.ts';

export type FormPath = {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string>>;
};

/** The page with the form that edits the change; null if there is none. */
export function formOf({ fragment, isNew = false, text }: ConfigurationInput, id: string): FormPath | null {
  const draft = { draft: id };
  if (text !== undefined) return { to: '/marketplace', params: {}, search: { ...draft, tab: 'file' } };
  if (fragment?.marketplace !== undefined) return { to: '/marketplace', params: {}, search: draft };
  const vertical = keyOf(fragment?.verticals?.[0]);
  if (vertical !== null) {
    return isNew
      ? { to: '/verticals/new', params: {}, search: draft }
      : { to: '/verticals/$verticalKey', params: { verticalKey: vertical }, search: draft };
  }
  const supplier = keyOf(fragment?.suppliers?.[0]);
  if (supplier !== null) {
    return isNew
      ? { to: '/suppliers/new', params: {}, search: draft }
      : { to: '/suppliers/$supplierKey', params: { supplierKey: supplier }, search: { ...draft, tab: 'settings' } };
  }
  return fragment === undefined ? null : partnerForm(fragment, isNew, draft);
}

function partnerForm(fragment: Fragment, isNew: boolean, draft: { readonly draft: string }): FormPath | null {
  const [partner] = fragment.partners ?? [];
  const partnerKey = keyOf(partner);
  if (partnerKey === null) return null;
  const offerKey = keyOf(partner?.offers?.[0]);
  if (offerKey !== null) {
    return isNew
      ? { to: '/partners/$partnerKey/offers/new', params: { partnerKey }, search: draft }
      : { to: '/partners/$partnerKey/offers/$offerKey', params: { partnerKey, offerKey }, search: draft };
  }
  if (isNew) return { to: '/partners/new', params: {}, search: draft };
  const tab = partner?.webhook === undefined ? 'settings' : 'webhook';
  return { to: '/partners/$partnerKey', params: { partnerKey }, search: { ...draft, tab } };
}

function keyOf(entry: { readonly key?: string } | undefined): string | null {
  return entry?.key ?? null;
}
