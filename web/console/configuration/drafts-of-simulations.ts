// A change that was tried and is not applied: how the form that it came from gets it back, and where that form is.
import { useQuery } from '@tanstack/react-query';

import { read } from '../../ui/request.ts';
import type { Fragment, Wish } from './configuration-api.ts';

export type TriedChange = Wish & { readonly version: number };

/** `id` is '' where the page was not reached from a simulation. Undefined while it is on its way; null for none. */
export function useTried(id: string): TriedChange | null | undefined {
  const query = useQuery({
    queryKey: ['simulation-input', id],
    queryFn: ({ signal }) => read<TriedChange>(`/console/api/simulations/${id}/input`, signal),
    enabled: id !== '',
    staleTime: Infinity,
  });
  if (id === '' || query.isError) return null;
  return query.data;
}

export type FormPlace = {
  readonly to: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string>>;
};

/** The page of the form that holds the change; null where no form does. */
export function formOf({ fragment, isNew = false, text }: Wish, id: string): FormPlace | null {
  const draft = { draft: id };
  if (text !== undefined) return { to: '/marketplace', params: {}, search: { ...draft, tab: 'file' } };
  if (fragment?.marketplace !== undefined) return { to: '/marketplace', params: {}, search: draft };
  const supplier = keyOf(fragment?.suppliers?.[0]);
  if (supplier !== null) {
    return isNew
      ? { to: '/suppliers/new', params: {}, search: draft }
      : { to: '/suppliers/$supplierKey', params: { supplierKey: supplier }, search: { ...draft, tab: 'settings' } };
  }
  return fragment === undefined ? null : partnerForm(fragment, isNew, draft);
}

function partnerForm(fragment: Fragment, isNew: boolean, draft: { readonly draft: string }): FormPlace | null {
  const [partner] = fragment.partners ?? [];
  const partnerKey = keyOf(partner);
  if (partnerKey === null) return null;
  const offerKey = keyOf(partner?.offers?.[0]);
  if (offerKey !== null) {
    return isNew
      ? { to: '/partners/$partnerKey/offers/new', params: { partnerKey }, search: draft }
      : { to: '/partners/$partnerKey/offers/$offerKey', params: { partnerKey, offerKey }, search: draft };
  }
  return isNew
    ? { to: '/partners/new', params: {}, search: draft }
    : { to: '/partners/$partnerKey', params: { partnerKey }, search: { ...draft, tab: 'settings' } };
}

function keyOf(entry: { readonly key?: string } | undefined): string | null {
  return entry?.key ?? null;
}
