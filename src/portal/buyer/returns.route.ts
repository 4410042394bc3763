// POST /portal/api/buyer/returns and /returns/preview: returns of several deliveries for one reason, previewed and filed.
import { buyerAuthor } from '../../audit/request-author.ts';
import { uuidOf } from '../../base/ids.ts';
import { isBlank } from '../../base/text.ts';
import { claimIdOf } from '../../claims/claim-view.rules.ts';
import { fileReturns, type FiledReturns as Filed } from '../../claims/file-returns.ts';
import { type CheckedPreview, previewWithOwnData } from '../../claims/own-data.ts';
import type { App } from '../../platform/http/app.ts';
import { jsonResponse, respondIdempotently } from '../../platform/http/idempotency.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { PortalFilingDependencies } from './filing.route.ts';
import { capView, filingView, refusalView } from './filing-view.ts';
import {
  type FiledReturns,
  FiledReturnsSchema,
  FileReturnsSchema,
  PreviewReturnsSchema,
  ReturnsPreviewSchema,
} from './returns.schema.ts';

export function registerPortalReturns(scope: App, dependencies: PortalFilingDependencies): void {
  registerPreview(scope, dependencies);
  registerFiling(scope, dependencies);
}

function registerPreview(scope: App, { database, clock, buyerOf, personPepper }: PortalFilingDependencies): void {
  scope.post(
    '/api/buyer/returns/preview',
    { schema: { body: PreviewReturnsSchema, response: { 200: ReturnsPreviewSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const ids = request.body.deliveryIds.flatMap((text) => uuidOf('delivery', text) ?? []);
      const previews = await database.tx(
        async (tx) => {
          const found: CheckedPreview[] = [];
          for (const deliveryId of ids) {
            const preview = await previewWithOwnData(tx, buyer, { deliveryId, personPepper }, now);
            if (preview !== null) found.push(preview);
          }
          return found;
        },
        { snapshot: true },
      );
      return reply.send({ data: previews.map(filingView) });
    },
  );
}

function registerFiling(scope: App, { database, clock, buyerOf, personPepper }: PortalFilingDependencies): void {
  scope.post(
    '/api/buyer/returns',
    { attachValidation: true, schema: { body: FileReturnsSchema, response: { 200: FiledReturnsSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { deliveryIds, reason, proof } = request.body;
          const statement = proof === null || isBlank(proof) ? null : proof;
          const author = buyerAuthor(request);
          const filed = await fileReturns(tx, buyer, { deliveryIds, reason, statement, author, personPepper }, now);
          return jsonResponse(200, filedView(filed));
        },
      });
    },
  );
}

function filedView({ outcomes, caps }: Filed): FiledReturns {
  return {
    results: outcomes.map(({ deliveryId, outcome }) => ({
      deliveryId,
      returnId: outcome.ok ? claimIdOf(outcome.value) : null,
      refusal: outcome.ok ? null : refusalView(outcome.code, outcome.detail),
    })),
    caps: caps.map(({ eventType, ...cap }) => ({ eventType, ...capView(cap) })),
  };
}
