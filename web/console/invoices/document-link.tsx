// The link that downloads the PDF of an invoice from a row of a table.
import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';

export function DocumentLink({ number }: { readonly number: string }): ReactNode {
  return (
    <Anchor
      size="sm"
      href={`/console/api/invoices/${number}/document?form=pdf`}
      download={`${number}.pdf`}
      aria-label={`Download ${number} as PDF`}
    >
      PDF
    </Anchor>
  );
}
