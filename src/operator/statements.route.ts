// Statements of suppliers and payouts in the operator's API (contract 10.5, 11.3).
import { Type } from 'typebox';

import { requestAuthor } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import { centsOfNumber } from '../base/money.ts';
import { isBlank } from '../base/text.ts';
import { positionOf, positionText } from '../base/time-position.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { readCursor } from '../platform/http/validation.ts';
import { findPayouts } from '../statements/find-payouts.ts';
import { findStatement, findStatements, readStatementDetail } from '../statements/find-statements.ts';
import { type PayoutRefusal, recordPayout } from '../statements/record-payout.ts';
import { detailView, payoutForm, statementForm } from '../statements/statement-view.rules.ts';
import { OPERATOR_PATH, OPERATOR_TAG, scopeText } from './mount-console-routes.ts';
import {
  PayoutBody,
  PayoutsQuery,
  PayoutsSchema,
  RecordedPayoutSchema,
  StatementParams,
  StatementsQuery,
  StatementsSchema,
} from './statements.schema.ts';

export type StatementsDependencies = { readonly database: Database; readonly clock: Clock };

const PAGE = 50;
const about = (operationId: string, summary: string, description: string) => ({
  ...{ operationId, summary, description: `${description} ${scopeText('money')}`, tags: [OPERATOR_TAG] },
});

export function registerStatements(scope: App, dependencies: StatementsDependencies): void {
  registerStatementList(scope, dependencies);
  registerStatement(scope, dependencies);
  registerPayoutList(scope, dependencies);
  registerPayout(scope, dependencies);
}

function registerStatementList(scope: App, { database }: StatementsDependencies): void {
  scope.get(
    `${OPERATOR_PATH}/statements`,
    {
      config: { permission: 'money' },
      schema: {
        ...about('listOperatorStatements', 'List statements of suppliers', 'Newest first, by supplier and month.'),
        querystring: StatementsQuery,
        response: { 200: StatementsSchema, ...documentedProblems('scope_missing') },
      },
    },
    async (request, reply) => {
      const { supplier: supplierKey = null, month = null, limit = PAGE } = request.query;
      const after = readCursor('after', request.query.after, (text) => positionOf(['statement'], text));
      const statements = await database.tx((tx) => findStatements(tx, { supplierKey, month, after, limit }));
      const last = statements.length === limit ? statements.at(-1) : undefined;
      const next = last === undefined ? null : positionText(last.issuedAt, typeId('statement', last.statementId));
      return reply.send({ data: statements.map(statementForm), next });
    },
  );
}

function registerStatement(scope: App, { database }: StatementsDependencies): void {
  scope.get(
    `${OPERATOR_PATH}/statements/:statementId`,
    {
      config: { permission: 'money' },
      schema: {
        ...about(
          'getOperatorStatement',
          'Read a statement of a supplier',
          'With its sums by day, and the payouts of the month.',
        ),
        params: StatementParams,
        response: {
          200: Type.Object({}, { additionalProperties: true, description: 'The statement.' }),
          ...documentedProblems('scope_missing', 'not_found'),
        },
      },
    },
    async (request, reply) => {
      const detail = await database.tx(
        async (tx) => {
          const statement = await findStatement(tx, request.params.statementId);
          return statement === null ? null : readStatementDetail(tx, statement);
        },
        { snapshot: true },
      );
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ supplier: detail.statement.supplierKey, ...detailView(detail) });
    },
  );
}

function registerPayoutList(scope: App, { database }: StatementsDependencies): void {
  scope.get(
    `${OPERATOR_PATH}/payouts`,
    {
      config: { permission: 'money' },
      schema: {
        ...about('listPayouts', 'List payouts to suppliers', 'Newest first.'),
        querystring: PayoutsQuery,
        response: { 200: PayoutsSchema, ...documentedProblems('scope_missing') },
      },
    },
    async (request, reply) => {
      const { supplier: supplierKey = null, limit = PAGE } = request.query;
      const after = readCursor('after', request.query.after, (text) => positionOf(['transfer'], text));
      const payouts = await database.tx((tx) => findPayouts(tx, { supplierKey, after, limit }));
      const last = payouts.length === limit ? payouts.at(-1) : undefined;
      const next = last === undefined ? null : positionText(last.recordedAt, typeId('transfer', last.transferId));
      return reply.send({ data: payouts.map(payoutForm), next });
    },
  );
}

function registerPayout(scope: App, { database, clock }: StatementsDependencies): void {
  scope.post(
    `${OPERATOR_PATH}/payouts`,
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: {
        ...about(
          'recordPayout',
          'Record a payout to a supplier',
          'Posted once per supplier and reference, and never more than the balance.',
        ),
        body: PayoutBody,
        response: {
          200: RecordedPayoutSchema,
          ...documentedProblems('scope_missing', 'not_found', 'validation_failed'),
        },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const author = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { supplier: supplierKey, amount, reference } = request.body;
          const amountCents = centsOfNumber(amount);
          if (amountCents === null || amountCents <= 0)
            return problemResponse(request, reply, fault('amount', 'must be above 0, with two decimals at most'));
          if (isBlank(reference)) return problemResponse(request, reply, fault('reference', 'must not be empty'));
          const input = { supplierKey, amountCents, reference: reference.trim(), actor: author.actor };
          const outcome = await recordPayout(tx, { ...input, origin: author.origin }, now);
          return outcome.ok
            ? jsonResponse(200, payoutForm(outcome.value))
            : problemResponse(request, reply, refusalOf(outcome.code, outcome.detail));
        },
      });
    },
  );
}

function fault(field: string, message: string): Refusal {
  return { status: 422, code: 'validation_failed', errors: [{ field, code: 'out_of_range', message }] };
}

function refusalOf(code: PayoutRefusal, detail: string | undefined): Refusal {
  if (code === 'supplier_not_found') return NOT_FOUND;
  const field = code === 'payout_exceeds_balance' ? 'amount' : 'reference';
  return fault(field, detail ?? 'cannot be recorded');
}
