// The console's lists as CSV: the columns of each table by the keys that they have in the pages (decision 080).
import { amount, exportedList, type ExportedList, type ListPage } from '../scopes/list-export.rules.ts';
import { exportedContactLists, exportedNotices } from '../scopes/exported-lists.rules.ts';
import type { AuditLogEvent } from './audit.schema.ts';
import type { QueuedClaim } from './claims.schema.ts';
import type { Endpoint } from './endpoints.schema.ts';
import type { FailedDelivery } from './failed-deliveries.schema.ts';
import type { Invoice } from './invoices.schema.ts';
import type { DeadJob } from './jobs.schema.ts';
import type { ListedLead } from './leads.schema.ts';
import type { Account, AccountPage, Entry } from './ledger.schema.ts';
import type { Message } from './messages.schema.ts';
import type { OfferRow } from './offers.schema.ts';
import type { PartnerRow } from './partners.schema.ts';
import type { StatementList, SupplierBalances } from './statements.schema.ts';
import type { SupplierRow } from './suppliers.schema.ts';

const LARGE = { pageSize: '200' };

export const exportedLists: Readonly<Record<string, ExportedList>> = {
  leads: exportedList<ListedLead>()({
    path: '/console/api/leads',
    cursor: 'before',
    largePage: { limit: '200' },
    idOf: ({ leadId }) => leadId,
    columns: {
      lead: {
        name: ({ name }) => name,
        lead_id: ({ leadId }) => leadId,
        external_id: ({ externalId }) => externalId,
      },
      received: { received_at: ({ receivedAt }) => receivedAt },
      supplier: { supplier: ({ supplierName }) => supplierName },
      vertical: { vertical: ({ vertical }) => vertical },
      source: { source: ({ source }) => source },
      usState: { us_state: ({ usState }) => usState },
      state: {
        status: ({ state }) => state,
        test: ({ test }) => test,
        reason: ({ reason }) => reason,
      },
      score: { score: ({ score }) => score },
      sales: {
        sold_to: ({ sales }) => sales.map(({ partnerName }) => partnerName).join('; '),
        prices: ({ sales }) => sales.map(({ payout }) => amount(payout)).join('; '),
      },
      price: { price: ({ price }) => amount(price) },
    },
  }),
  claims: exportedList<QueuedClaim>()({
    path: '/console/api/claims',
    idOf: ({ id }) => id,
    columns: {
      claim: {
        claim_id: ({ id }) => id,
        kind: ({ kind }) => kind,
        delivery: ({ deliveryRef }) => deliveryRef,
      },
      partner: { partner: ({ partnerName }) => partnerName },
      vertical: { vertical: ({ vertical }) => vertical },
      reason: { reason: ({ reasonMeaning }) => reasonMeaning },
      amount: { charged: ({ payout }) => amount(payout) },
      status: { status: ({ status }) => status },
      filed: { filed_at: ({ filedAt }) => filedAt },
      due: { decision_due_at: ({ decisionDueAt }) => decisionDueAt },
      decided: { decided_at: ({ decidedAt }) => decidedAt, decided_by: ({ decidedBy }) => decidedBy },
    },
  }),
  'failed-deliveries': exportedList<FailedDelivery>()({
    path: '/console/api/failed-deliveries',
    cursor: 'after',
    idOf: ({ deliveryId }) => deliveryId,
    columns: {
      delivery: { delivery: ({ deliveryRef }) => deliveryRef, lead_id: ({ leadId }) => leadId },
      partner: { partner: ({ partnerName }) => partnerName },
      vertical: { vertical: ({ vertical }) => vertical },
      payout: { price: ({ payout }) => amount(payout) },
      created: { created_at: ({ deliveredAt }) => deliveredAt },
      failed: { failed_at: ({ failedAt }) => failedAt },
      reason: {
        last_response: ({ reason }) => reason,
        may_have_arrived: ({ mayHaveArrived }) => mayHaveArrived,
      },
      retryStatus: { status: ({ retryStatus }) => retryStatus },
    },
  }),
  messages: exportedList<Message>()({
    path: '/console/api/messages',
    cursor: 'before',
    idOf: ({ attemptId }) => attemptId,
    columns: {
      at: { at: ({ at }) => at, attempt_id: ({ attemptId }) => attemptId },
      partner: { partner: ({ partnerName }) => partnerName },
      message: {
        message: ({ type }) => type,
        delivery: ({ deliveryRef }) => deliveryRef,
        lead_id: ({ leadId }) => leadId,
        attempt: ({ attempt }) => attempt,
      },
      channel: { channel: ({ channel }) => channel, target: ({ target }) => target },
      outcome: { outcome: ({ outcome }) => outcome, next_attempt_at: ({ nextAttemptAt }) => nextAttemptAt },
      response: { response_code: ({ responseCode }) => responseCode, error: ({ error }) => error },
      latency: { latency_ms: ({ latencyMs }) => latencyMs },
    },
  }),
  'dead-letters': exportedList<DeadJob>()({
    path: '/console/api/jobs',
    cursor: 'after',
    idOf: ({ jobId }) => jobId,
    columns: {
      subject: {
        job: ({ name }) => name,
        message: ({ message }) => message?.type ?? null,
        for: ({ message }) => message?.ownerKey ?? null,
        lead_id: ({ leadId }) => leadId,
      },
      error: { error: ({ error }) => error },
      attempts: { attempts: ({ attempts }) => attempts },
      failed: { failed_at: ({ failedAt }) => failedAt },
    },
  }),
  endpoints: exportedList<Endpoint>()({
    path: '/console/api/endpoints',
    cursor: 'after',
    idOf: ({ ownerKind, ownerKey, channel }) => `${ownerKind} ${ownerKey} ${channel}`,
    columns: {
      owner: {
        owner: ({ name }) => name,
        owner_kind: ({ ownerKind }) => (ownerKind === 'buyer' ? 'partner' : ownerKind),
      },
      channel: { channel: ({ channel }) => channel, target: ({ target }) => target },
      state: { state: ({ state }) => state, failures: ({ failures }) => failures, since: ({ since }) => since },
      waiting: { waiting: ({ waiting }) => waiting },
      error: { last_error: ({ lastError }) => lastError, last_failed_at: ({ lastFailedAt }) => lastFailedAt },
      day: { downtime_seconds_24_hours: ({ hours }) => hours.reduce((sum, seconds) => sum + seconds, 0) },
      outages: { outages: ({ outages }) => outages, outage_seconds: ({ outageSeconds }) => outageSeconds },
    },
  }),
  'audit-log': exportedList<AuditLogEvent>()({
    path: '/console/api/audit-log',
    cursor: 'before',
    idOf: ({ id }) => id,
    columns: {
      at: { at: ({ at }) => at },
      who: { actor: ({ actor }) => actor.name, actor_type: ({ actor }) => actor.type, ip: ({ ip }) => ip },
      action: { action: ({ action }) => action },
      target: {
        target: ({ target }) => target,
        partner: ({ partner }) => partner,
        supplier: ({ supplier }) => supplier,
      },
      changes: { changes: ({ changes }) => JSON.stringify(changes) },
    },
  }),
  accounts: exportedList<Account>()({
    path: '/console/api/ledger/accounts',
    idOf: ({ partner }) => partner,
    columns: {
      partner: { partner: ({ name }) => name, partner_key: ({ partner }) => partner },
      status: { status: ({ status }) => status },
      mode: { billing: ({ mode }) => mode },
      balance: { balance: ({ balance }) => amount(balance) },
      held: { held: ({ held }) => amount(held) },
      limit: { credit_limit: ({ creditLimit }) => amount(creditLimit) },
      available: { available: ({ available }) => amount(available) },
    },
  }),
  entries: exportedList<Entry>()({
    path: '/console/api/ledger/accounts/:partner',
    pageOf: ({ entries }: AccountPage): ListPage => entries,
    idOf: ({ entryId }) => entryId,
    columns: {
      at: { created_at: ({ createdAt }) => createdAt },
      type: { type: ({ type }) => type },
      what: { description: ({ description }) => description, delivery_id: ({ deliveryId }) => deliveryId },
      other: {
        claim_id: ({ returnId, disputeId }) => returnId ?? disputeId,
        invoice_id: ({ invoiceId }) => invoiceId,
      },
      amount: { amount: (entry) => amount(entry.amount) },
      balance: { balance_after: ({ balanceAfter }) => amount(balanceAfter) },
      id: { entry_id: ({ entryId }) => entryId },
    },
  }),
  invoices: exportedList<Invoice>()({
    path: '/console/api/invoices',
    idOf: ({ invoiceId }) => invoiceId,
    columns: {
      number: { number: ({ number }) => number },
      partner: { partner: ({ partnerName }) => partnerName },
      month: { month: ({ month }) => month },
      status: { status: ({ status }) => status },
      total: { total: ({ total }) => amount(total), currency: ({ currency }) => currency },
      due: { amount_due: ({ amountDue }) => amount(amountDue) },
      issued: { issued_at: ({ issuedAt }) => issuedAt },
      dueAt: { due_at: ({ dueAt }) => dueAt },
    },
  }),
  statements: exportedList<StatementList['data'][number]>()({
    path: '/console/api/statements',
    largePage: LARGE,
    idOf: ({ statementId }) => statementId,
    columns: {
      number: { number: ({ number }) => number },
      supplier: { supplier: ({ supplierName }) => supplierName },
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
  'supplier-balances': exportedList<SupplierBalances['data'][number]>()({
    path: '/console/api/supplier-balances',
    largePage: LARGE,
    idOf: ({ supplier }) => supplier,
    columns: {
      supplier: { supplier: ({ supplierName }) => supplierName, supplier_key: ({ supplier }) => supplier },
      balance: { owed: ({ balance }) => amount(balance) },
      held: { held: ({ held }) => amount(held) },
      payable: { to_be_paid: ({ payable }) => amount(payable) },
    },
  }),
  partners: exportedList<PartnerRow>()({
    path: '/console/api/partners',
    largePage: LARGE,
    idOf: ({ key }) => key,
    columns: {
      name: { name: ({ name }) => name, key: ({ key }) => key },
      status: { status: ({ status }) => status },
      available: {
        available_funds: ({ activity: { availableFunds: funds } }) => (funds === null ? null : amount(funds)),
      },
      last: { last_lead_at: ({ activity }) => activity.lastLeadAt },
      endpoint: { endpoint: ({ activity }) => activity.endpoint },
      today: {
        sold_today: ({ activity }) => activity.today?.sold ?? null,
        daily_cap: ({ activity }) => activity.today?.cap ?? null,
      },
      trend: { sold_per_day_14_days: ({ activity }) => activity.trend.join(' ') },
      channels: { channels: ({ channels }) => channels.join('; ') },
      billing: { billing: ({ billing }) => billing.mode },
      offers: { offers: ({ figures }) => figures.offers, active_offers: ({ figures }) => figures.activeOffers },
      sold: { sold_28_days: ({ figures }) => figures.sold },
      revenue: { revenue_28_days: ({ figures }) => amount(figures.revenue) },
      returned: { returned_28_days: ({ figures }) => figures.returned },
    },
  }),
  suppliers: exportedList<SupplierRow>()({
    path: '/console/api/suppliers',
    largePage: LARGE,
    idOf: ({ key }) => key,
    columns: {
      name: { name: ({ name }) => name, key: ({ key }) => key },
      status: { status: ({ status }) => status },
      last: { last_submission_at: ({ activity }) => activity.lastLeadAt },
      today: { submitted_today: ({ activity }) => activity.trend.at(-1) ?? 0 },
      trend: { submitted_per_day_14_days: ({ activity }) => activity.trend.join(' ') },
      submitted: { submitted_28_days: ({ figures }) => figures.submitted },
      routed: { sold_28_days: ({ figures }) => figures.routed },
      rate: { sold_percent: ({ figures }) => figures.acceptanceRate },
      score: { average_score: ({ figures }) => figures.avgScore },
      callback: { callback_url: ({ callback }) => callback?.url ?? null },
    },
  }),
  offers: exportedList<OfferRow>()({
    path: '/console/api/offers',
    largePage: LARGE,
    idOf: ({ partner, key }) => `${partner} ${key}`,
    columns: {
      name: { name: ({ name }) => name, key: ({ key }) => key, partner: ({ partner }) => partner },
      status: { status: ({ status }) => status },
      type: { type: ({ eventType }) => eventType },
      payout: { price: ({ payout }) => amount(payout) },
      sale: { sale: ({ sale }) => (sale === 'exclusive' ? 'exclusive' : 'shared') },
      cap: { daily_cap: ({ caps }) => caps.daily },
      states: { states: ({ filters }) => filters.states?.join('; ') ?? null },
      sold: { sold_28_days: ({ figures }) => figures.sold },
      revenue: { revenue_28_days: ({ figures }) => amount(figures.revenue) },
      returned: { returned_28_days: ({ figures }) => figures.returned },
    },
  }),
  lists: exportedContactLists('/console/api/lists'),
  notices: exportedNotices('/console/api/notices'),
};
