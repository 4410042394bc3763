// The console's partners: the list with figures, one partner as in the marketplace file, setting its status, enabling its endpoint.
import { requestAuthor } from '../audit/request-author.ts';
import { partnerActivity } from '../reports/account-activity.ts';
import { listPartnersBy } from '../reports/list-accounts.ts';
import { partnerFigures } from '../reports/sales-figures.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { buyerForm } from '../buyers/buyer-form.rules.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import { setBuyerStatus } from '../buyers/save-buyers.ts';
import { enableEndpoint } from '../buyers/set-endpoint.ts';
import {
  EnabledSchema,
  PartnerFormSchema,
  type PartnerOnConsole,
  PartnerParams,
  PartnersQuerySchema,
  PartnersSchema,
  PartnerStatusSchema,
  ShownPartnerSchema,
} from './partners.schema.ts';

const NOT_FOUND: Refusal = { status: 404, code: 'not_found', detail: 'There is no such partner.' };

export type ConsolePartnersDependencies = {
  readonly database: Database;
  /** For the list, and one with its figures. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Reloads the configuration in this process; never rejects. */
  readonly reload: () => Promise<void>;
};

export function registerConsolePartners(scope: App, dependencies: ConsolePartnersDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
  registerStatus(scope, dependencies);
  registerEndpoint(scope, dependencies);
}

function registerList(scope: App, { reads, clock }: ConsolePartnersDependencies): void {
  scope.get(
    '/api/partners',
    {
      config: { permission: 'read' },
      schema: {
        querystring: PartnersQuerySchema,
        response: { 200: PartnersSchema },
      },
    },
    async (request, reply) => {
      const { search = null, status = null, page = 1, pageSize = PAGE_SIZE, sort: order = 'name' } = request.query;
      const response = await reads.tx(
        async (tx) => {
          const { total, buyers } = await listPartnersBy(tx, { search, status, page, pageSize, order }, clock.now());
          const keys = buyers.map(({ buyerKey }) => buyerKey);
          const figures = await partnerFigures(tx, keys, clock.now());
          const activityOf = await partnerActivity(tx, buyers, clock.now());
          const data = buyers.map((buyer) => {
            const { lastLeadAt, ...activity } = activityOf(buyer);
            return {
              ...{ ...formOf(buyer), figures: figures(buyer.buyerKey) },
              activity: { ...activity, lastLeadAt: lastLeadAt?.toISOString() ?? null },
            };
          });
          return { data, page, pageSize, total };
        },
        { snapshot: true },
      );
      return reply.send(response);
    },
  );
}

function registerOne(scope: App, { reads, clock }: ConsolePartnersDependencies): void {
  scope.get(
    '/api/partners/:partnerKey',
    {
      config: { permission: 'read' },
      schema: {
        params: PartnerParams,
        response: { 200: ShownPartnerSchema },
      },
    },
    async (request, reply) => {
      const { partnerKey } = request.params;
      const found = await reads.tx(
        async (tx) => {
          const { version } = await readSettings(tx);
          const buyer = await readBuyer(tx, partnerKey);
          if (buyer === null) return null;
          const figures = await partnerFigures(tx, [partnerKey], clock.now());
          return { version, partner: formOf(buyer), figures: figures(partnerKey) };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(found);
    },
  );
}

function registerStatus(scope: App, { database, clock, reload }: ConsolePartnersDependencies): void {
  scope.post(
    '/api/partners/:partnerKey/status',
    {
      config: { permission: 'configure' },
      schema: {
        params: PartnerParams,
        body: PartnerStatusSchema,
        response: { 200: PartnerFormSchema },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const change = { buyerKey: request.params.partnerKey, status: request.body.status, actor, origin };
          const outcome = await setBuyerStatus(tx, change, now);
          return outcome.ok ? jsonResponse(200, formOf(outcome.value)) : problemResponse(request, reply, NOT_FOUND);
        },
        onCommitted: reload,
      });
    },
  );
}

function registerEndpoint(scope: App, { database, clock, reload }: ConsolePartnersDependencies): void {
  scope.post(
    '/api/partners/:partnerKey/endpoint/enable',
    {
      config: { permission: 'operate', emptyBody: true },
      schema: {
        params: PartnerParams,
        response: { 200: EnabledSchema },
      },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const outcome = await enableEndpoint(tx, { buyerKey: request.params.partnerKey, actor, origin }, now);
          return outcome.ok
            ? jsonResponse(200, { enabled: true, wasDisabled: outcome.value.wasDisabled })
            : problemResponse(request, reply, NOT_FOUND);
        },
        onCommitted: reload,
      });
    },
  );
}

function formOf(buyer: Buyer): PartnerOnConsole {
  const { endpointDisabledAt, fundsPausedAt, ownPause } = buyer;
  return {
    ...buyerForm(buyer),
    endpointDisabledAt: endpointDisabledAt?.toISOString() ?? null,
    fundsPausedAt: fundsPausedAt?.toISOString() ?? null,
    ownPause:
      ownPause === null ? null : { since: ownPause.since.toISOString(), until: ownPause.until?.toISOString() ?? null },
  };
}
