// The endpoints of the console with their request and response types.
import type { ClaimFiles } from '../../src/claims/claim-file.schema.ts';
import type { AuditChoices, AuditLog, AuditQuery } from '../../src/console/audit.schema.ts';
import type { IssuedCredential, NewCredential } from '../../src/credentials/issued-credential.schema.ts';
import type { Apply, ChangeResult, Changes, ChangesQuery, Preview } from '../../src/console/changes.schema.ts';
import type {
  Approval,
  ClaimFilter,
  ClaimQueue,
  ClaimQueueQuery,
  ClaimReview,
  ClaimSumsQuery,
  DecidedClaim,
  Denial,
} from '../../src/console/claims.schema.ts';
import type { Credentials, RevokedCredential, RotatedSecret } from '../../src/console/credentials.schema.ts';
import type { ListExportQuery } from '../../src/scopes/list-export.schema.ts';
import type { MappingTrial, MappingTrialInput } from '../../src/console/mapping-trial.schema.ts';
import type { ConsoleNoticesQuery, QueuedNotice } from '../../src/console/notices.schema.ts';
import type { ListSums } from '../../src/platform/http/list-sums.schema.ts';
import type { NoticeList } from '../../src/notices/notice-list.schema.ts';
import type { SigningSecret } from '../../src/credentials/signing-secret.schema.ts';
import type { BillingRuns } from '../../src/console/billing-runs.schema.ts';
import type { ImportLine, ImportPayments } from '../../src/console/payments.schema.ts';
import type { Choices, CurrentFile, ShownMarketplace } from '../../src/console/configuration.schema.ts';
import type { Endpoints, EndpointsQuery, Revived } from '../../src/console/endpoints.schema.ts';
import type {
  FailedDeliveries,
  FailedDeliveriesQuery,
  FailedFilters,
  Queued,
  QueuedMany,
  RetryDeliveries,
  Price,
  Priced,
} from '../../src/console/failed-deliveries.schema.ts';
import type {
  InvoiceDetail,
  InvoiceFilters,
  Invoice,
  InvoicePayment,
  InvoiceRun,
  InvoiceRunLine,
  Invoices,
  InvoicesQuery,
  InvoiceVoiding,
} from '../../src/console/invoices.schema.ts';
import type { Erased, Erasure, ErasureSearch, Found, Stored, StoredInput } from '../../src/console/erasure.schema.ts';
import type { DeadJobs, DeadJobsQuery, RetriedJob, RetriedJobs, RetryJobs } from '../../src/console/jobs.schema.ts';
import type { LeadFilters, Leads, LeadsQuery, LeadStory, LeadStoryQuery } from '../../src/console/leads.schema.ts';
import type {
  AccountPage,
  AccountQuery,
  EntryFilters,
  Accounts,
  AccountsQuery,
  CheckLine,
  Posted,
  Posting,
} from '../../src/console/ledger.schema.ts';
import type {
  MessageDetail,
  MessageFilters,
  Messages,
  MessagesQuery,
  SentRequest,
} from '../../src/console/messages.schema.ts';
import type { Replay, ReplayPlan, Replays, ReplayWindow, StoppedReplay } from '../../src/console/replays.schema.ts';
import type { FirstSteps } from '../../src/console/first-steps.schema.ts';
import type { Matches } from '../../src/console/search.schema.ts';
import type { Waiting } from '../../src/console/waiting.schema.ts';
import type { WarningName } from '../../src/console/warnings.schema.ts';
import type { Health } from '../../src/console/health.schema.ts';
import type { LiftedPause, OfferResponses, PartnerResponses } from '../../src/console/responses.schema.ts';
import type { NewReportView, ReportView, ReportViewName, ReportViews } from '../../src/console/report-views.schema.ts';
import type { ConsoleSession, SignIn } from '../../src/console/session.schema.ts';
import type { NewOperator, NewOperatorEmail, NewOperatorRole, Operators } from '../../src/console/operators.schema.ts';
import type { SentLink } from '../../src/users/invitation.schema.ts';
import type { OfferEstimate, OfferEstimateInput } from '../../src/console/offer-estimate.schema.ts';
import type { OfferPrices, Offers, OffersQuery, ShownOffer } from '../../src/console/offers.schema.ts';
import type {
  EnabledEndpoint,
  NewPartnerStatus,
  PartnerOnConsole,
  Partners,
  PartnersQuery,
  ShownPartner,
} from '../../src/console/partners.schema.ts';
import type {
  NewSecret,
  RemovedSecret,
  SetSecret,
  WebhookTest,
  WebhookTestBody,
} from '../../src/console/partner-webhook.schema.ts';
import type {
  NewPayout,
  PayoutList,
  PayoutsQuery,
  RecordedPayout,
  ShownStatement,
  StatementList,
  StatementRunInput,
  StatementRunLine,
  StatementsQuery,
  SupplierBalances,
  SupplierBalancesQuery,
  Adjustment,
  NewAdjustment,
} from '../../src/console/statements.schema.ts';
import type {
  NewSimulation,
  ShownSimulation,
  SimulationOnConsole,
  Simulations,
  StartedSimulation,
  TriedInput,
} from '../../src/console/simulations.schema.ts';
import type {
  NewSupplierStatus,
  ShownSupplier,
  Suppliers,
  SuppliersQuery,
} from '../../src/console/suppliers.schema.ts';
import type {
  BeginLoad,
  ChangeList,
  CheckedValue,
  CheckValue,
  FinishLoad,
  ListPage,
  ListsQuery,
  ListView,
  LoadPart,
  LoadView,
  NewList,
  RemovedList,
  RemovedValues,
  RemoveValues,
  ShownList,
} from '../../src/scopes/lists.schema.ts';
import type { NewUser, NewUserRoles, Users } from '../../src/scopes/users.schema.ts';
import type {
  DeliveryPreview,
  DeliveryPreviewBody,
  LeadResponses,
  PreviewBody,
  Secrets,
  WebhookPreview,
} from '../../src/scopes/webhook-trial.schema.ts';
import type { SupplierForm } from '../../src/suppliers/supplier.schema.ts';
import type { ReportFileQuery, ReportQuestion } from '../../src/reports/report-question.schema.ts';
import type { Report } from '../../src/reports/report.schema.ts';
import type { ShownVertical, Verticals } from '../../src/console/verticals.schema.ts';
import { createApi } from '../ui/api.ts';

/** The owner of credentials and a signing secret. */
export type Owner = { readonly kind: 'partners' | 'suppliers'; readonly key: string };

export const { request, download } = createApi<ConsoleApi>();

export type ConsoleApi = {
  'GET /console/api/exports/:list': { query: ListExportQuery };
  'GET /console/api/notices': { query: ConsoleNoticesQuery; response: NoticeList };
  'POST /console/api/notices/:noticeId/resend': { response: QueuedNotice };
  'POST /console/api/notices/test': { response: QueuedNotice };
  'GET /console/api/audit-log': { query: AuditQuery; response: AuditLog };
  'GET /console/api/audit-log/choices': { response: AuditChoices };

  'GET /console/api/marketplace': { response: ShownMarketplace };
  'GET /console/api/form-choices': { response: Choices };
  'GET /console/api/configuration/file': { response: CurrentFile };
  'GET /console/api/configuration/changes': { query: ChangesQuery; response: Changes };
  'POST /console/api/offer-estimate': { body: OfferEstimateInput; response: OfferEstimate };
  'POST /console/api/mapping-trial': { body: MappingTrialInput; response: MappingTrial };
  'POST /console/api/configuration/preview': { body: Preview; response: ChangeResult };
  'POST /console/api/configuration/apply': { body: Apply; response: ChangeResult };

  'GET /console/api/suppliers': { query: SuppliersQuery; response: Suppliers };
  'GET /console/api/suppliers/:supplierKey': { response: ShownSupplier };
  'POST /console/api/suppliers/:supplierKey/status': { body: NewSupplierStatus; response: SupplierForm };

  'GET /console/api/partners': { query: PartnersQuery; response: Partners };
  'GET /console/api/partners/:partnerKey': { response: ShownPartner };
  'POST /console/api/partners/:partnerKey/status': { body: NewPartnerStatus; response: PartnerOnConsole };
  'POST /console/api/partners/:ownerKey/webhook/preview': { body: PreviewBody; response: WebhookPreview };
  'POST /console/api/partners/:ownerKey/webhook/preview-delivery': {
    body: DeliveryPreviewBody;
    response: DeliveryPreview;
  };
  'GET /console/api/partners/:ownerKey/webhook/responses': { response: LeadResponses };
  'POST /console/api/partners/:ownerKey/webhook/test': { body: WebhookTestBody; response: WebhookTest };
  'GET /console/api/partners/:ownerKey/secrets': { response: Secrets };
  'POST /console/api/partners/:ownerKey/secrets': { body: NewSecret; response: SetSecret };
  'POST /console/api/partners/:ownerKey/secrets/:name/remove': { response: RemovedSecret };
  'POST /console/api/partners/:partnerKey/endpoint/enable': { response: EnabledEndpoint };

  'GET /console/api/offers': { query: OffersQuery; response: Offers };
  'GET /console/api/offers/:offerKey': { response: ShownOffer };
  'GET /console/api/offers/:offerKey/prices': { response: OfferPrices };

  'GET /console/api/verticals': { response: Verticals };
  'GET /console/api/verticals/:verticalKey': { response: ShownVertical };

  'GET /console/api/partners/:ownerKey/responses': { response: PartnerResponses };
  'GET /console/api/offers/:key/responses': { response: OfferResponses };
  'POST /console/api/offers/:key/rejections-pause/lift': { response: LiftedPause };

  'GET /console/api/lists': { query: ListsQuery; response: ListPage };
  'POST /console/api/lists': { body: NewList; response: ListView };
  'GET /console/api/lists/:listId': { response: ShownList };
  'POST /console/api/lists/:listId/change': { body: ChangeList; response: ListView };
  'POST /console/api/lists/:listId/check': { body: CheckValue; response: CheckedValue };
  'POST /console/api/lists/:listId/remove': { response: RemovedList };
  'POST /console/api/lists/:listId/remove-values': { body: RemoveValues; response: RemovedValues };
  'POST /console/api/lists/:listId/loads': { body: BeginLoad; response: LoadView };
  'POST /console/api/lists/:listId/loads/:loadId/parts': { body: LoadPart; response: LoadView };
  'POST /console/api/lists/:listId/loads/:loadId/finish': { body: FinishLoad; response: LoadView };
  'POST /console/api/lists/:listId/loads/:loadId/discard': { response: LoadView };

  'GET /console/api/simulations': { response: Simulations };
  'POST /console/api/simulations': { body: NewSimulation; response: StartedSimulation };
  'GET /console/api/simulations/:simulationId': { response: ShownSimulation };
  'GET /console/api/simulations/:simulationId/input': { response: TriedInput };
  'POST /console/api/simulations/:simulationId/cancel': { response: SimulationOnConsole };

  'GET /console/api/claims': { query: ClaimQueueQuery; response: ClaimQueue };
  'GET /console/api/claims/sums': { query: ClaimSumsQuery; response: ListSums };
  'GET /console/api/claims/:claimId': { query: ClaimFilter; response: ClaimReview };
  'GET /console/api/claims/:claimId/files': { response: ClaimFiles };
  'GET /console/api/claims/:claimId/files/:fileId': object;
  'POST /console/api/claims/:claimId/start-review': { query: ClaimFilter; body: object; response: DecidedClaim };
  'POST /console/api/claims/:claimId/approve': { query: ClaimFilter; body: Approval; response: DecidedClaim };
  'POST /console/api/claims/:claimId/deny': { query: ClaimFilter; body: Denial; response: DecidedClaim };

  'GET /console/api/partners/:ownerKey/users': { response: Users };
  'POST /console/api/partners/:ownerKey/users/invitations': { body: NewUser; response: SentLink };
  'POST /console/api/partners/:ownerKey/users/invitations/:invitationId/resend': { response: SentLink };
  'POST /console/api/partners/:ownerKey/users/invitations/:invitationId/withdraw': object;
  'POST /console/api/partners/:ownerKey/users/:userId/roles': { body: NewUserRoles };
  'POST /console/api/partners/:ownerKey/users/:userId/send-password-link': { response: SentLink };
  'POST /console/api/partners/:ownerKey/users/:userId/reset-second-factor': object;
  'POST /console/api/partners/:ownerKey/users/:userId/remove': object;
  'GET /console/api/suppliers/:ownerKey/users': { response: Users };
  'POST /console/api/suppliers/:ownerKey/users/invitations': { body: NewUser; response: SentLink };
  'POST /console/api/suppliers/:ownerKey/users/invitations/:invitationId/resend': { response: SentLink };
  'POST /console/api/suppliers/:ownerKey/users/invitations/:invitationId/withdraw': object;
  'POST /console/api/suppliers/:ownerKey/users/:userId/roles': { body: NewUserRoles };
  'POST /console/api/suppliers/:ownerKey/users/:userId/send-password-link': { response: SentLink };
  'POST /console/api/suppliers/:ownerKey/users/:userId/reset-second-factor': object;
  'POST /console/api/suppliers/:ownerKey/users/:userId/remove': object;
  'GET /console/api/partners/:ownerKey/credentials': { response: Credentials };
  'POST /console/api/partners/:ownerKey/credentials': { body: NewCredential; response: IssuedCredential };
  'POST /console/api/partners/:ownerKey/secret/show': { response: SigningSecret };
  'POST /console/api/partners/:ownerKey/secret/rotate': { response: RotatedSecret };
  'GET /console/api/suppliers/:ownerKey/credentials': { response: Credentials };
  'POST /console/api/suppliers/:ownerKey/credentials': { body: NewCredential; response: IssuedCredential };
  'POST /console/api/suppliers/:ownerKey/secret/show': { response: SigningSecret };
  'POST /console/api/suppliers/:ownerKey/secret/rotate': { response: RotatedSecret };
  'POST /console/api/credentials/:credentialId/revoke': { response: RevokedCredential };

  'GET /console/api/endpoints': { query: EndpointsQuery; response: Endpoints };
  'POST /console/api/endpoints/:ownerKind/:ownerKey/:channel/enable': { response: Revived };

  'POST /console/api/erasure/search': { body: ErasureSearch; response: Found };
  'POST /console/api/erasure/stored': { body: StoredInput; response: Stored };
  'POST /console/api/erasure/leads/:leadId': { body: Erasure; response: Erased };

  'GET /console/api/failed-deliveries': { query: FailedDeliveriesQuery; response: FailedDeliveries };
  'POST /console/api/failed-deliveries/retry': { body: RetryDeliveries; response: QueuedMany };
  'POST /console/api/deliveries/:deliveryId/retry': { response: Queued };
  'POST /console/api/deliveries/:deliveryId/price': { body: Price; response: Priced };

  'GET /console/api/failed-deliveries/sums': { query: FailedFilters; response: ListSums };
  'GET /console/api/jobs/sums': { response: ListSums };
  'GET /console/api/messages/sums': { query: MessageFilters; response: ListSums };
  'GET /console/api/ledger/accounts/:partner/sums': { query: EntryFilters; response: ListSums };

  'GET /console/api/invoices': { query: InvoicesQuery; response: Invoices };
  'GET /console/api/invoices/sums': { query: InvoiceFilters; response: ListSums };
  'GET /console/api/invoices/:id': { response: InvoiceDetail };
  'POST /console/api/invoices/:id/pay': { body: InvoicePayment; response: Invoice };
  'POST /console/api/invoices/:id/void': { body: InvoiceVoiding; response: Invoice };
  'POST /console/api/invoices/run': { body: InvoiceRun; lines: InvoiceRunLine };
  'GET /console/api/statements': { query: StatementsQuery; response: StatementList };
  'GET /console/api/statements/:statementId': { response: ShownStatement };
  'POST /console/api/statements/run': { body: StatementRunInput; lines: StatementRunLine };
  'GET /console/api/supplier-balances': { query: SupplierBalancesQuery; response: SupplierBalances };
  'GET /console/api/payouts': { query: PayoutsQuery; response: PayoutList };
  'POST /console/api/payouts': { body: NewPayout; response: RecordedPayout };
  'POST /console/api/supplier-adjustments': { body: NewAdjustment; response: Adjustment };
  'GET /console/api/billing-runs': { response: BillingRuns };
  'POST /console/api/payments/import': { body: ImportPayments; lines: ImportLine };

  'GET /console/api/messages': { query: MessagesQuery; response: Messages };
  'GET /console/api/messages/:attemptId': { response: MessageDetail };
  'GET /console/api/messages/:attemptId/request': { response: SentRequest };

  'GET /console/api/replays': { response: Replays };
  'POST /console/api/replays': { body: ReplayWindow; response: Replay };
  'GET /console/api/replays/plan': { query: ReplayWindow; response: ReplayPlan };
  'POST /console/api/replays/:replayId/stop': { response: StoppedReplay };

  'GET /console/api/jobs': { query: DeadJobsQuery; response: DeadJobs };
  'POST /console/api/jobs/retry': { body: RetryJobs; response: RetriedJobs };
  'POST /console/api/jobs/:jobId/retry': { response: RetriedJob };

  'GET /console/api/search': { response: Matches };
  'GET /console/api/leads': { query: LeadsQuery; response: Leads };

  'GET /console/api/leads/sums': { query: LeadFilters; response: ListSums };
  'GET /console/api/leads/:leadId': { query: LeadStoryQuery; response: LeadStory };

  'GET /console/api/ledger/accounts': { query: AccountsQuery; response: Accounts };
  'GET /console/api/ledger/accounts/:partner': { query: AccountQuery; response: AccountPage };
  'POST /console/api/ledger/entries': { body: Posting; response: Posted };
  'POST /console/api/ledger/check': { body: object; lines: CheckLine };

  'GET /console/api/waiting': { response: Waiting };
  'GET /console/api/first-steps': { response: FirstSteps };
  'GET /console/api/health': { response: Health };
  'POST /console/api/warnings/acknowledge': { body: WarningName };
  'POST /console/api/warnings/reopen': { body: WarningName };

  'GET /console/api/reports': { query: ReportQuestion; response: Report };
  'GET /console/api/report-views': { response: ReportViews };
  'POST /console/api/report-views': { body: NewReportView; response: ReportView };
  'PUT /console/api/report-views/:viewId': { body: ReportViewName; response: ReportView };
  'DELETE /console/api/report-views/:viewId': object;
  'GET /console/api/reports.csv': { query: ReportFileQuery };

  'GET /console/api/session': { response: ConsoleSession };
  'POST /console/api/session': { body: SignIn; response: ConsoleSession };

  'GET /console/api/operators': { response: Operators };
  'POST /console/api/operators/invitations': { body: NewOperator; response: SentLink };
  'POST /console/api/operators/invitations/:invitationId/resend': { response: SentLink };
  'POST /console/api/operators/invitations/:invitationId/withdraw': object;
  'POST /console/api/operators/:name/role': { body: NewOperatorRole };
  'POST /console/api/operators/:name/email': { body: NewOperatorEmail };
  'POST /console/api/operators/:name/disable': object;
  'POST /console/api/operators/:name/enable': object;
  'POST /console/api/operators/:name/reset-second-factor': object;
  'POST /console/api/operators/:name/send-password-link': { response: SentLink };
};
