// GET /portal/api/supplier/submissions/:leadId/earnings: what one of the supplier's leads earned, for the users who may see money.
import { Type } from 'typebox';

import { uuidOf } from '../../base/ids.ts';
import { wireAmount } from '../../base/money.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { NOT_FOUND } from '../../platform/http/request-fault.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { readLeadEarnings } from '../../statements/read-earnings.ts';
import { SubmissionEarningsSchema } from './submission-earnings.schema.ts';

export function registerPortalSubmissionEarnings(
  scope: App,
  { database, currency }: { readonly database: Database; readonly currency: () => string },
): void {
  scope.get(
    '/api/supplier/submissions/:leadId/earnings',
    { schema: { params: Type.Object({ leadId: Type.String() }), response: { 200: SubmissionEarningsSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const leadId = uuidOf('lead', request.params.leadId);
      const found = leadId === null ? null : await database.tx((tx) => readLeadEarnings(tx, ownerKey, leadId));
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({
        currency: currency(),
        total: wireAmount(found.reduce((sum, { amountCents }) => sum + amountCents, 0)),
        lines: found.map(({ at, kind, amountCents }) => ({
          at: at.toISOString(),
          kind,
          amount: wireAmount(amountCents),
        })),
      });
    },
  );
}
