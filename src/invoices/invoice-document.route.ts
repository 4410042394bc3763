// GET /api/v1/buyer/billing/invoices/:invoiceId: the document of an invoice as PDF or HTML (contract 6.19).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { uuidOf, type InvoiceId } from '../base/ids.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { type InvoiceDocument, invoiceDocument } from './invoice-document.rules.ts';
import { invoiceHtml, invoicePolicy } from './invoice-html.ts';
import { invoicePdf } from './invoice-pdf.ts';
import type { InvoiceDetail } from './invoice.ts';
import { preferredForm } from './media-type.rules.ts';
import { readInvoiceDetail, readInvoice } from './find-invoices.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';

export type InvoiceDocumentDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly brand: () => Brand;
};

const TYPES = { pdf: 'application/pdf', html: 'text/html; charset=utf-8' } as const;

// The format is not validated: a malformed id is an unknown one (contract 1.8).
const ParamsSchema = Type.Object({
  invoiceId: Type.String({
    description: 'An `invoiceId` from your billing.',
    examples: ['inv_01m98xr6b2f4atk1q5p8dv3n7c'],
  }),
});

const documentContent = (description: string) => ({
  description,
  content: {
    'application/pdf': { schema: Type.String({ contentMediaType: 'application/pdf' }) },
    'text/html': { schema: Type.String({ contentMediaType: 'text/html' }) },
  },
});

export function registerInvoiceDocument(scope: App, { database, clock, brand }: InvoiceDocumentDependencies): void {
  scope.get(
    '/api/v1/buyer/billing/invoices/:invoiceId',
    {
      config: { responseHeaders: ['Content-Disposition'] },
      schema: {
        operationId: 'getInvoiceDocument',
        summary: 'Read an invoice',
        description: 'The invoice as a PDF, or as an HTML page if `Accept` prefers `text/html`.',
        tags: ['Buyer'],
        params: ParamsSchema,
        response: {
          200: documentContent('The invoice document.'),
          ...documentedProblems('partner_suspended', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      const invoiceId = uuidOf('invoice', request.params.invoiceId);
      const detail =
        invoiceId === null
          ? null
          : await database.tx((tx) => readDetail(tx, ownerKey, invoiceId, now), { snapshot: true });
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      return sendPreferred(request, reply, { document: invoiceDocument(detail), brand: brand() });
    },
  );
}

export type SentDocument = { readonly document: InvoiceDocument; readonly brand: Brand };

/** As the request's `Accept` prefers. */
export async function sendPreferred(
  request: FastifyRequest,
  reply: FastifyReply,
  sent: SentDocument,
): Promise<FastifyReply> {
  reply.header('vary', 'Accept');
  return sendDocument(reply, sent, { form: preferredForm(request.raw.headers.accept), disposition: 'inline' });
}

export async function sendDocument(
  reply: FastifyReply,
  { document, brand }: SentDocument,
  { form, disposition }: { readonly form: 'pdf' | 'html'; readonly disposition: 'inline' | 'attachment' },
): Promise<FastifyReply> {
  reply.header('content-disposition', `${disposition}; filename="${document.number}.${form}"`);
  if (form === 'html') {
    reply
      .header('content-security-policy', `${invoicePolicy(brand)}; frame-ancestors 'none'`)
      .header('referrer-policy', 'no-referrer');
  }
  const bytes = form === 'pdf' ? await invoicePdf(document, brand) : Buffer.from(invoiceHtml(document, brand));
  return reply.header('content-type', TYPES[form]).send(bytes);
}

async function readDetail(tx: Tx, buyerKey: string, invoiceId: InvoiceId, now: Date): Promise<InvoiceDetail | null> {
  const invoice = await readInvoice(tx, buyerKey, invoiceId, now);
  return invoice === null ? null : readInvoiceDetail(tx, invoice);
}
