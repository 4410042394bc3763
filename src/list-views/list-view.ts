// A view of a list that somebody keeps under a name: filters, order and hidden columns (contract 7.13).
import type { ListViewId } from '../base/ids.ts';

/** A user, or the account itself where a token or key has signed in; the only one who sees the view. */
export type ViewHolder = {
  readonly holderKind: 'operator' | 'user' | 'buyer' | 'supplier';
  /** The id of the operator or user, or the key of the partner or supplier. */
  readonly holder: string;
};

export type NewListView = {
  readonly list: string;
  readonly name: string;
  /** Of the page's address. */
  readonly query: string;
  readonly hiddenColumns: readonly string[];
};

export type ListView = NewListView & { readonly viewId: ListViewId };
