// An invoice's document: the address of its page, and the way of its PDF to the disk.
import { saveFile } from '../../../ui/save-file.ts';
import { download } from '../../portal-api.ts';

type Numbered = { readonly invoiceId: string; readonly number: string };

/** A browser that goes there is shown the page: what it accepts asks for HTML. */
export function documentPath({ invoiceId }: Pick<Numbered, 'invoiceId'>): string {
  return `/portal/api/v1/buyer/billing/invoices/${invoiceId}`;
}

/** Rejects with a RequestError. */
export async function saveInvoice({ invoiceId, number }: Numbered): Promise<void> {
  const file = await download('GET /portal/api/v1/buyer/billing/invoices/:invoiceId', {
    params: { invoiceId },
    headers: { accept: 'application/pdf' },
  });
  saveFile(file, `${number}.pdf`);
}
