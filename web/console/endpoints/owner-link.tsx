// A link to the page of a partner or supplier.
import type { ReactNode } from 'react';

import { PageLink } from '../../ui/link.tsx';

export type Owner = {
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  readonly name: string;
};

export function OwnerLink({ owner: { ownerKind, ownerKey, name } }: { readonly owner: Owner }): ReactNode {
  return ownerKind === 'buyer' ? (
    <PageLink to="/partners/$partnerKey" params={{ partnerKey: ownerKey }}>
      {name}
    </PageLink>
  ) : (
    <PageLink to="/suppliers/$supplierKey" params={{ supplierKey: ownerKey }}>
      {name}
    </PageLink>
  );
}
