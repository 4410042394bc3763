// The column of a list with the name of a partner, which links to its page.
import type { Column } from '../../ui/data-table.tsx';
import { PageLink } from '../../ui/link.tsx';

export const PARTNER_COLUMN: Column<{ readonly partner: string; readonly partnerName: string }> = {
  key: 'partner',
  title: 'Partner',
  cell: ({ partner, partnerName }) => (
    <PageLink to="/partners/$partnerKey" params={{ partnerKey: partner }}>
      {partnerName}
    </PageLink>
  ),
};
