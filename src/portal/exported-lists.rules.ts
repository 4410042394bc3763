// The portal's lists as CSV: the columns of each table by the keys that they have in the pages (decision 080).
import type { Static } from 'typebox';

import type { ReferredDelivery } from '../deliveries/delivery.schema.ts';
import type { LedgerEntrySchema } from '../invoices/billing.schema.ts';
import { amount, exportedList, type ExportedList, type ListPage } from '../scopes/list-export.rules.ts';
import { exportedContactLists, exportedNotices } from '../scopes/exported-lists.rules.ts';
import type { StatementSchema } from '../statements/statements.schema.ts';
import type { PortalClaim } from './buyer/claims.schema.ts';
import type { ListedSubmission } from './supplier/submissions.schema.ts';

const LARGE = { pageSize: '100' };

export const buyerLists: Readonly<Record<string, ExportedList>> = {
  deliveries: exportedList<Static<typeof ReferredDelivery>>()({
    path: '/portal/api/buyer/deliveries',
    largePage: LARGE,
    idOf: ({ deliveryId }) => deliveryId,
    columns: {
      ref: {
        delivery: ({ deliveryRef }) => deliveryRef,
        delivery_id: ({ deliveryId }) => deliveryId,
        event_type: ({ eventType }) => eventType,
      },
      name: { name: ({ lead }) => lead.fullName, state: ({ lead }) => lead.state },
      contact: { phone: ({ lead }) => lead.phone, email: ({ lead }) => lead.email },
      status: { status: ({ status }) => status, claim: ({ claim }) => claim?.status ?? null },
      price: { price: ({ payout }) => amount(payout) },
      at: { delivered_at: ({ deliveredAt }) => deliveredAt },
    },
  }),
  claims: exportedList<PortalClaim>()({
    path: '/portal/api/buyer/claims',
    largePage: LARGE,
    idOf: ({ id }) => id,
    columns: {
      claim: {
        claim_id: ({ id }) => id,
        kind: ({ kind }) => kind,
        delivery: ({ deliveryRef }) => deliveryRef,
      },
      status: { status: ({ status }) => status },
      reason: { reason: ({ reason }) => reason },
      price: { price: ({ payout }) => amount(payout) },
      filed: { filed_at: ({ filedAt }) => filedAt },
      decision: { decision_due_at: ({ decisionDueAt }) => decisionDueAt, decided_at: ({ decidedAt }) => decidedAt },
      credit: { credit: ({ credit }) => amount(credit?.amount ?? null) },
    },
  }),
  ledger: exportedList<Static<typeof LedgerEntrySchema>>()({
    path: '/portal/api/buyer/billing',
    largePage: LARGE,
    pageOf: ({ ledger }: { readonly ledger: ListPage }) => ledger,
    idOf: ({ entryId }) => entryId,
    columns: {
      at: { created_at: ({ createdAt }) => createdAt },
      type: { type: ({ type }) => type },
      what: { description: ({ description }) => description, delivery_id: ({ deliveryId }) => deliveryId },
      claim: { claim_id: ({ returnId, disputeId }) => returnId ?? disputeId },
      invoice: { invoice_id: ({ invoiceId }) => invoiceId },
      amount: { amount: (entry) => amount(entry.amount) },
      balance: { balance_after: ({ balanceAfter }) => amount(balanceAfter) },
    },
  }),
  lists: exportedContactLists('/portal/api/buyer/lists'),
  notices: exportedNotices('/portal/api/buyer/notices'),
};

export const supplierLists: Readonly<Record<string, ExportedList>> = {
  submissions: exportedList<ListedSubmission>()({
    path: '/portal/api/supplier/submissions',
    cursor: 'before',
    idOf: ({ leadId }) => leadId,
    columns: {
      received: { received_at: ({ receivedAt }) => receivedAt, lead_id: ({ leadId }) => leadId },
      externalId: { external_id: ({ externalId }) => externalId },
      status: { status: ({ status }) => status, test: ({ test }) => test },
      score: { score: ({ score }) => score },
      reason: { reason: ({ reasons }) => reasons.map(({ reason }) => reason).join('; ') },
    },
  }),
  statements: exportedList<Static<typeof StatementSchema>>()({
    path: '/portal/api/v1/supplier/statements',
    largePage: LARGE,
    idOf: ({ statementId }) => statementId,
    columns: {
      number: { number: ({ number }) => number },
      month: { month: ({ month }) => month },
      leads: { leads: ({ leads }) => leads },
      earned: { earned: ({ earned }) => amount(earned), currency: ({ currency }) => currency },
      back: { taken_back: ({ clawedBack }) => amount(clawedBack) },
      paid: { paid_out: ({ paidOut }) => amount(paidOut) },
      total: { balance_after: ({ total }) => amount(total) },
      payable: { to_be_paid: ({ payable }) => amount(payable) },
      issued: { issued_at: ({ issuedAt }) => issuedAt },
    },
  }),
  notices: exportedNotices('/portal/api/supplier/notices'),
};
