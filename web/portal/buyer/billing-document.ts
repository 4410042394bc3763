// An invoice's document: the address of its page, and the way of its PDF to the disk.
import { RequestError } from '../../ui/request.ts';

type Numbered = { readonly invoiceId: string; readonly number: string };

/** A browser that goes there is shown the page: what it accepts asks for HTML. */
export function documentPath({ invoiceId }: Pick<Numbered, 'invoiceId'>): string {
  return `/portal/api/v1/buyer/billing/invoices/${invoiceId}`;
}

/** Rejects with a RequestError. */
export async function saveInvoice(invoice: Numbered): Promise<void> {
  const response = await askForPdf(documentPath(invoice));
  if (!response.ok) throw new RequestError(response.status, (await response.json()) as Record<string, unknown>);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `${invoice.number}.pdf`;
  link.click();
  // The browser has taken it up by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

async function askForPdf(path: string): Promise<Response> {
  try {
    return await fetch(path, { headers: { accept: 'application/pdf' }, credentials: 'same-origin', redirect: 'error' });
  } catch {
    throw new RequestError(0, {
      code: 'unreachable',
      detail: 'The service cannot be reached. Check the connection and try again.',
    });
  }
}
