// Describes a posted lead in the span of its request, with ids and keys only (decision 058).
import { typeId, uuidOf } from '../base/ids.ts';
import { type RequestTrace, rootSpanIdOf, traceIdOf } from '../platform/tracing/tracing.ts';
import type { IngestResponse } from './ingest-lead.ts';
import type { Submission } from './store-submissions.ts';

/** A repeat has no spans of its own further on, so it links to the trace of the lead that it repeats. */
export function describeSubmission({ span }: RequestTrace, submission: Submission, response: IngestResponse): void {
  if (span === null) return;
  span.attributes['leadmarket.supplier_key'] = submission.supplierKey;
  span.attributes['leadmarket.is_test'] = submission.isTest;
  const isRepeat = response.kind === 'accepted' && response.isRepeat;
  span.attributes['leadmarket.outcome'] = isRepeat ? 'repeated' : response.kind;
  if (response.kind === 'conflict') return;
  const leadId = isRepeat ? uuidOf('lead', response.leadId) : submission.leadId;
  if (leadId === null) return;
  span.attributes['leadmarket.lead_id'] = typeId('lead', leadId);
  if (isRepeat) span.links.push({ traceId: traceIdOf(leadId), spanId: rootSpanIdOf(leadId) });
}
