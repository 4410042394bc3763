// The lists of suppliers, partners and offers, their credentials, and the audit log, in the operator's API (contract 10).
import type { MountedRoute, MountedRoutes } from './mount-console-routes.ts';

const listed = (things: string, name: string): MountedRoute => ({
  scope: 'read',
  operationId: `list${name}`,
  summary: `List ${things}`,
  description: 'As in the marketplace file, with figures of the last days. Searched by words and paged by number.',
  returns: `A page of ${things}.`,
});

const shownCredentials = (owner: string, name: string): MountedRoute => ({
  scope: 'configure',
  operationId: `list${name}Credentials`,
  summary: `List the credentials of a ${owner}`,
  description: 'Newest first, with revoked and expired ones. Secrets are never shown again.',
  returns: 'The credentials.',
});

const issuedCredential = (owner: string, name: string): MountedRoute => ({
  scope: 'configure',
  operationId: `issue${name}Credential`,
  summary: `Issue a credential for a ${owner}`,
  description:
    'Only the first response contains the secret: a repeated request with the same `Idempotency-Key` gets null.',
  returns: 'The credential with its secret.',
});

export const accountRoutes: MountedRoutes = {
  'GET /verticals': {
    scope: 'read',
    operationId: 'listVerticals',
    summary: 'List verticals',
    description:
      'All of them as in the marketplace file, with the suppliers that post into them and the number of their offers.',
    returns: 'The verticals.',
  },
  'GET /suppliers': listed('suppliers', 'Suppliers'),
  'GET /partners': listed('partners', 'Partners'),
  'GET /offers': listed('offers', 'Offers'),
  'GET /partners/:ownerKey/responses': {
    scope: 'read',
    operationId: 'getPartnerResponses',
    summary: 'Read how often a partner rejects leads',
    description:
      'The share of responses that reject leads, as unwanted or as duplicates: today, in 7 and in 30 days of the partner’s time zone, in all and by offer (contract 13.7).',
    returns: 'The shares.',
  },
  'GET /offers/:key/responses': {
    scope: 'read',
    operationId: 'getOfferResponses',
    summary: 'Read how often the leads of an offer are rejected',
    description:
      'The share of responses that reject leads today, in 7 and in 30 days, when the offer pauses for it, and whether it is paused (contract 13.7).',
    returns: 'The shares, the rule and the pause.',
  },
  'POST /offers/:key/rejections-pause/lift': {
    scope: 'operate',
    operationId: 'liftRejectionsPause',
    summary: 'Lift the pause of an offer that rejected many leads',
    description:
      'The offer takes leads again. Responses from before do not pause it again. An offer that is not paused stays as it is (contract 13.7).',
    returns: 'Whether it was paused.',
  },
  'GET /suppliers/:ownerKey/credentials': shownCredentials('supplier', 'Supplier'),
  'POST /suppliers/:ownerKey/credentials': issuedCredential('supplier', 'Supplier'),
  'GET /partners/:ownerKey/credentials': shownCredentials('partner', 'Partner'),
  'POST /partners/:ownerKey/credentials': issuedCredential('partner', 'Partner'),
  'POST /partners/:ownerKey/webhook/preview': {
    scope: 'read',
    operationId: 'previewPartnerWebhook',
    summary: 'Preview the custom webhook of a partner',
    description:
      'The request for a sample lead, of the format that is saved or of the one in the body; nothing is sent, and secrets are dots (contract 13.3).',
    returns: 'The request, or why there is none.',
  },
  'POST /partners/:ownerKey/webhook/preview-delivery': {
    scope: 'privacy',
    operationId: 'previewPartnerWebhookOfDelivery',
    summary: 'Preview the custom webhook of a partner for a delivery',
    description:
      'As the preview for a sample lead, for a lead that the partner has. A failed delivery shows no personal data. The audit log records that the lead was read.',
    returns: 'The request, or why there is none.',
    problems: ['delivery_not_found'],
  },
  'GET /partners/:ownerKey/webhook/responses': {
    scope: 'read',
    operationId: 'listPartnerWebhookResponses',
    summary: 'List the latest responses to the webhook of a partner',
    description:
      'With the rule of its format that read each. Without the scope `privacy` what a response says is masked; with it the audit log records which leads were read.',
    returns: 'The responses.',
  },
  'POST /partners/:ownerKey/webhook/test': {
    scope: 'configure',
    operationId: 'testPartnerWebhook',
    summary: 'Send a test delivery to the webhook of a partner',
    description: 'About a fictional lead, in the format that is saved; nothing is sold, counted or billed.',
    returns: 'What came of it.',
    problems: ['webhook_not_configured', 'webhook_url_blocked'],
  },
  'GET /partners/:ownerKey/secrets': {
    scope: 'read',
    operationId: 'listPartnerSecrets',
    summary: 'List the named secrets of a partner',
    description: 'Their names; no response ever has a value (contract 13.3).',
    returns: 'The names.',
  },
  'POST /partners/:ownerKey/secrets': {
    scope: 'configure',
    operationId: 'setPartnerSecret',
    summary: 'Set a named secret of a partner',
    description: 'For the templates of its custom webhook. A secret of that name is replaced.',
    returns: 'Whether the name is new.',
  },
  'POST /partners/:ownerKey/secrets/:name/remove': {
    scope: 'configure',
    operationId: 'removePartnerSecret',
    summary: 'Remove a named secret of a partner',
    description: 'A template that still names it is not sent any more.',
    returns: 'The name.',
  },
  'POST /credentials/:credentialId/revoke': {
    scope: 'configure',
    operationId: 'revokeCredential',
    summary: 'Revoke a credential of a supplier or partner',
    description: 'For good, and within five seconds in every process. Sessions that were opened with it end.',
    returns: 'When it was revoked.',
  },
  'GET /operator-tokens': {
    scope: 'configure',
    operationId: 'listOperatorTokens',
    summary: "List operators' tokens",
    description: 'Newest first, with their scopes, and with revoked and expired ones.',
    returns: 'The tokens.',
  },
  'POST /operator-tokens': {
    scope: 'configure',
    operationId: 'issueOperatorToken',
    summary: "Issue an operator's token",
    description:
      'A token can issue only tokens with scopes that it has itself. Only the first response contains the secret: a repeated request with the same `Idempotency-Key` gets null.',
    returns: 'The token with its secret.',
  },
  'POST /operator-tokens/:tokenId/revoke': {
    scope: 'configure',
    operationId: 'revokeOperatorToken',
    summary: "Revoke an operator's token",
    description: 'For good, and within five seconds in every process.',
    returns: 'When it was revoked.',
  },
  'GET /audit-log': {
    scope: 'configure',
    operationId: 'listAuditEvents',
    summary: 'List events of the audit log',
    description: 'Who changed what, newest first: operators, partners, suppliers and programs (contract 7.9).',
    returns: 'A page of events.',
  },
};
