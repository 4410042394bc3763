// Serialises the response to a submission (contract 3.4).
import { type LeadId, typeId } from '../base/ids.ts';
import type { ProblemExtras } from '../platform/http/problem.ts';
import type { IngestResponse } from './ingest-lead.ts';

type LeadResponse = Exclude<IngestResponse, { kind: 'conflict' }>;

export function responseBody(response: LeadResponse, elapsedMs: number): string {
  const processingTime = milliseconds(elapsedMs);
  return response.kind === 'accepted'
    ? `{"accepted":true,"lead_id":"${response.leadId}","score":${response.score},"processingTime":${processingTime}}`
    : JSON.stringify({ accepted: false, reason: response.reason, processingTime });
}

/** The stored response, without the processing time. */
export function keptResponse(lead: {
  readonly leadId: LeadId;
  readonly score: number | null;
  readonly reason: string | null;
}): { readonly status: 202 | 422; readonly body: string } {
  return lead.score === null
    ? { status: 422, body: JSON.stringify({ accepted: false, reason: lead.reason }) }
    : {
        status: 202,
        body: JSON.stringify({ accepted: true, lead_id: typeId('lead', lead.leadId), score: lead.score }),
      };
}

export const CONFLICT = {
  status: 409,
  code: 'external_id_conflict',
  detail: 'A lead with this external_id and other content was accepted before.',
} as const;

/** Every other error of this path is a problem document with the members of a rejection. */
export const ingestProblemExtras: ProblemExtras = (problem, elapsedMs) => ({
  accepted: false,
  reason: problem.detail,
  processingTime: milliseconds(elapsedMs),
});

/** Up to three decimals. */
function milliseconds(elapsedMs: number): number {
  return Math.round(elapsedMs * 1000) / 1000;
}
