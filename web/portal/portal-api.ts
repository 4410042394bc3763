// The endpoints of the portal with their request and response types.
import type { Billing, OPERATIONS, Ops } from '../../sdk/typescript/client.ts';
import type { TestDeliveryBody } from '../../src/deliveries/test-delivery/test-delivery.schema.ts';
import type { IssuedCredential, NewCredential } from '../../src/credentials/issued-credential.schema.ts';
import type {
  Channels,
  ChannelsChange,
  ChannelTest,
  ChannelTestRequest,
} from '../../src/portal/buyer/channels.schema.ts';
import type { LedgerFilters, LedgerQuery } from '../../src/portal/buyer/billing.schema.ts';
import type { ClaimFiles } from '../../src/claims/claim-file.schema.ts';
import type { ClaimDetail, ClaimFilters, ClaimsQuery, PortalClaims } from '../../src/portal/buyer/claims.schema.ts';
import type {
  Deliveries,
  DeliveriesQuery,
  DeliveryDetail,
  DeliveryFilterQuery,
  ExportFileQuery,
  ExportRequest,
} from '../../src/portal/buyer/deliveries.schema.ts';
import type { Filing } from '../../src/portal/buyer/filing.schema.ts';
import type {
  FiledReturns,
  FileReturns,
  PreviewReturns,
  ReturnsPreview,
} from '../../src/portal/buyer/returns.schema.ts';
import type { Overview as BuyerOverview } from '../../src/portal/buyer/overview.schema.ts';
import type { Offers, Stats, StatsQuery } from '../../src/portal/buyer/stats.schema.ts';
import type { Limits, LimitsTrial } from '../../src/portal/buyer/limits.schema.ts';
import type { OwnLimitsForm } from '../../src/routing/own-limits.schema.ts';
import type { NewPause, PauseState } from '../../src/portal/buyer/pause.schema.ts';
import type { ShownWebhookFormat, WebhookFormatChange } from '../../src/portal/buyer/webhook-format.schema.ts';
import type { TestDelivery } from '../../src/portal/buyer/test-delivery.schema.ts';
import type { ListSums } from '../../src/platform/http/list-sums.schema.ts';
import type { NoticeList, NoticesQuery } from '../../src/notices/notice-list.schema.ts';
import type { NoticeSettings, NoticeSettingsInput } from '../../src/portal/notices.schema.ts';
import type { Credentials, Revoked } from '../../src/portal/credentials.schema.ts';
import type { SentLink } from '../../src/users/invitation.schema.ts';
import type { NewUser, NewUserRoles, Users } from '../../src/scopes/users.schema.ts';
import type { Credential, PasswordLinkRequest, PortalSession, UserSignIn } from '../../src/portal/session.schema.ts';
import type { ReportFileQuery, ReportQuestion } from '../../src/reports/report-question.schema.ts';
import type { Report } from '../../src/reports/report.schema.ts';
import type { Overview, OverviewQuery } from '../../src/portal/supplier/overview.schema.ts';
import type { Specification } from '../../src/portal/supplier/specification.schema.ts';
import type { SubmissionEarnings } from '../../src/portal/supplier/submission-earnings.schema.ts';
import type {
  Submission,
  SubmissionFilters,
  Submissions,
  SubmissionsQuery,
} from '../../src/portal/supplier/submissions.schema.ts';
import type { TestLead, TestLeadResponse, TestLeadDecision } from '../../src/portal/supplier/test-leads.schema.ts';
import type {
  BeginLoad,
  CheckedValue,
  CheckValue,
  FinishLoad,
  ListPage,
  ListsQuery,
  ListView,
  LoadPart,
  LoadView,
  NewOwnList,
  RemovedList,
  RemovedValues,
  RemoveValues,
  ShownList,
} from '../../src/scopes/lists.schema.ts';
import type { ListExportQuery } from '../../src/scopes/list-export.schema.ts';
import type { PreviewBody, Secrets, WebhookPreview, WebhookResponses } from '../../src/scopes/webhook-trial.schema.ts';
import { createApi } from '../ui/api.ts';

export const { request, requestWithHeaders, download } = createApi<OwnEndpoints & PublicEndpoints>();

/** Endpoints that only the portal has. */
type OwnEndpoints = {
  'GET /portal/api/buyer/exports/:list': { query: ListExportQuery };
  'GET /portal/api/supplier/exports/:list': { query: ListExportQuery };
  'GET /portal/api/session': { response: PortalSession };
  'POST /portal/api/session': { body: Credential; response: PortalSession };
  'POST /portal/api/session/password': { body: UserSignIn; response: PortalSession };
  'POST /portal/api/password-links': { body: PasswordLinkRequest };

  'GET /portal/api/users': { response: Users };
  'POST /portal/api/users/invitations': { body: NewUser; response: SentLink };
  'POST /portal/api/users/invitations/:invitationId/resend': { response: SentLink };
  'POST /portal/api/users/invitations/:invitationId/withdraw': object;
  'POST /portal/api/users/:userId/roles': { body: NewUserRoles };
  'POST /portal/api/users/:userId/remove': object;
  'POST /portal/api/users/:userId/reset-second-factor': object;
  'POST /portal/api/users/:userId/send-password-link': { response: SentLink };

  'GET /portal/api/buyer/overview': { response: BuyerOverview };
  'GET /portal/api/buyer/reports': { query: ReportQuestion; response: Report };
  'GET /portal/api/buyer/reports.csv': { query: ReportFileQuery };
  'GET /portal/api/buyer/stats': { query: StatsQuery; response: Stats };
  'GET /portal/api/buyer/offers': { response: Offers };
  'GET /portal/api/buyer/deliveries': { query: DeliveriesQuery; response: Deliveries };
  'GET /portal/api/buyer/deliveries/sums': { query: DeliveryFilterQuery; response: ListSums };
  'GET /portal/api/buyer/deliveries/:deliveryId': { response: DeliveryDetail };
  'GET /portal/api/buyer/deliveries/:deliveryId/filing': { response: Filing };
  'POST /portal/api/buyer/returns': { body: FileReturns; response: FiledReturns };
  'POST /portal/api/buyer/returns/preview': { body: PreviewReturns; response: ReturnsPreview };
  'POST /portal/api/buyer/deliveries/export': { body: ExportRequest; query: ExportFileQuery };
  'GET /portal/api/buyer/receipts/:receiptId': object;
  'GET /portal/api/buyer/claims': { query: ClaimsQuery; response: PortalClaims };
  'GET /portal/api/buyer/billing': { query: LedgerQuery; response: Billing };
  'GET /portal/api/buyer/ledger/sums': { query: LedgerFilters; response: ListSums };
  'GET /portal/api/buyer/claims/sums': { query: ClaimFilters; response: ListSums };
  'GET /portal/api/buyer/claims/:claimId': { response: ClaimDetail };
  'GET /portal/api/buyer/claims/:claimId/files': { response: ClaimFiles };
  'GET /portal/api/buyer/claims/:claimId/files/:fileId': object;
  'GET /portal/api/buyer/channels': { response: Channels };
  'PUT /portal/api/buyer/channels': { body: ChannelsChange; response: Channels };
  'POST /portal/api/buyer/channels/test': { body: ChannelTestRequest; response: ChannelTest };
  'GET /portal/api/buyer/offers/:offerKey/limits': { response: Limits };
  'PUT /portal/api/buyer/offers/:offerKey/limits': { body: OwnLimitsForm; response: Limits };
  'POST /portal/api/buyer/offers/:offerKey/limits/trial': { body: OwnLimitsForm; response: LimitsTrial };
  'PUT /portal/api/buyer/pause': { body: NewPause; response: PauseState };
  'DELETE /portal/api/buyer/pause': { response: PauseState };
  'GET /portal/api/buyer/webhook-format': { response: ShownWebhookFormat };
  'PUT /portal/api/buyer/webhook-format': { body: WebhookFormatChange; response: ShownWebhookFormat };
  'POST /portal/api/buyer/webhook-format/preview': { body: PreviewBody; response: WebhookPreview };
  'GET /portal/api/buyer/webhook-format/responses': { response: WebhookResponses };
  'GET /portal/api/buyer/webhook-format/secrets': { response: Secrets };
  'POST /portal/api/buyer/test-delivery': { body: TestDeliveryBody; response: TestDelivery };
  'GET /portal/api/buyer/tokens': { response: Credentials };
  'POST /portal/api/buyer/tokens': { body: NewCredential; response: IssuedCredential };
  'DELETE /portal/api/buyer/tokens/:id': { response: Revoked };

  'GET /portal/api/buyer/lists': { query: ListsQuery; response: ListPage };
  'POST /portal/api/buyer/lists': { body: NewOwnList; response: ListView };
  'GET /portal/api/buyer/lists/:listId': { response: ShownList };
  'POST /portal/api/buyer/lists/:listId/check': { body: CheckValue; response: CheckedValue };
  'POST /portal/api/buyer/lists/:listId/remove': { response: RemovedList };
  'POST /portal/api/buyer/lists/:listId/remove-values': { body: RemoveValues; response: RemovedValues };
  'POST /portal/api/buyer/lists/:listId/loads': { body: BeginLoad; response: LoadView };
  'POST /portal/api/buyer/lists/:listId/loads/:loadId/parts': { body: LoadPart; response: LoadView };
  'POST /portal/api/buyer/lists/:listId/loads/:loadId/finish': { body: FinishLoad; response: LoadView };
  'POST /portal/api/buyer/lists/:listId/loads/:loadId/discard': { response: LoadView };

  'GET /portal/api/buyer/notices': { query: NoticesQuery; response: NoticeList };
  'GET /portal/api/buyer/notices/settings': { response: NoticeSettings };
  'POST /portal/api/buyer/notices/settings': { body: NoticeSettingsInput; response: NoticeSettings };
  'GET /portal/api/supplier/notices': { query: NoticesQuery; response: NoticeList };
  'GET /portal/api/supplier/notices/settings': { response: NoticeSettings };
  'POST /portal/api/supplier/notices/settings': { body: NoticeSettingsInput; response: NoticeSettings };

  'GET /portal/api/supplier/overview': { query: OverviewQuery; response: Overview };
  'GET /portal/api/supplier/reports': { query: ReportQuestion; response: Report };
  'GET /portal/api/supplier/reports.csv': { query: ReportFileQuery };
  'GET /portal/api/supplier/submissions': { query: SubmissionsQuery; response: Submissions };
  'GET /portal/api/supplier/statements/sums': { response: ListSums };
  'GET /portal/api/supplier/submissions/sums': { query: SubmissionFilters; response: ListSums };
  'GET /portal/api/supplier/submissions/:leadId': { response: Submission };
  'GET /portal/api/supplier/submissions/:leadId/earnings': { response: SubmissionEarnings };
  'GET /portal/api/supplier/specification': { response: Specification };
  'POST /portal/api/supplier/test-leads': { body: TestLead; response: TestLeadResponse };
  'GET /portal/api/supplier/test-leads/:leadId': { response: TestLeadDecision };
  'GET /portal/api/supplier/keys': { response: Credentials };
  'POST /portal/api/supplier/keys': { body: NewCredential; response: IssuedCredential };
  'DELETE /portal/api/supplier/keys/:id': { response: Revoked };
};

/** Endpoints of the partner API, which the portal serves as well: all except lead submission. */
type PublicEndpoints = {
  [Id in Exclude<keyof Ops, 'submitLead'> as NameOf<PartnerOperation<(typeof OPERATIONS)[Id]>>]: {
    response: Ops[Id]['result'];
  } & (Ops[Id]['args'] extends { body: infer Body } ? { body: Body } : unknown) &
    (Ops[Id]['args'] extends { query?: infer Query } ? { query: NonNullable<Query> } : unknown);
};

type PartnerOperation<Operation extends { readonly path: string }> =
  Operation['path'] extends `/api/v1/operator/${string}` ? never : Operation;

type NameOf<Operation extends { readonly method: string; readonly path: string }> =
  `${Operation['method']} /portal${WithColons<Operation['path']>}`;

/** `/leads/{id}` as `/leads/:id` */
type WithColons<Path extends string> = Path extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${WithColons<After>}`
  : Path;
