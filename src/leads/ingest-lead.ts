// From a posted body to the row that will be stored and the answer that will be given: mapping, checks, score (contract 3).
import { newUuid, typeId } from '../base/ids.ts';
import type { Regions } from '../base/regions.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import { applyFieldMapping, type CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { proofText } from './consent-proof.rules.ts';
import { contentHash } from './content-hash.rules.ts';
import type { ValidLead } from './lead-fields.ts';
import { keptOfRefusedBody } from './refused-body.rules.ts';
import { scoreLead } from './score-lead.rules.ts';
import type { StoreResult, Submission } from './store-submissions.ts';
import { validateLead } from './validate-lead.rules.ts';

export type IngestContext = {
  readonly supplierKey: string;
  readonly mapping: CompiledFieldMapping;
  readonly regions: Regions;
  readonly weights: ScoreWeights;
  /** 0–1 over the last 30 days. */
  readonly returnRate: number;
  /** Whether one more refused submission may keep its body; left out, all may. */
  readonly takeRefusedBody?: (now: Date) => boolean;
  /** Makes a test of whatever is posted, also against the supplier's own mapping. */
  readonly isTest?: true;
};

/** A JSON object as parsed, and its text as received. */
export type PostedBody = { readonly members: Readonly<Record<string, unknown>>; readonly text: string };

export function prepareSubmission({ members, text }: PostedBody, context: IngestContext, now: Date): Submission {
  const mapped = applyFieldMapping(context.mapping, members);
  const verdict = validateLead(context.isTest === true ? { ...mapped, test: true } : mapped, context.regions, now);
  const common = { leadId: newUuid(), supplierKey: context.supplierKey, receivedAt: now };
  if (!verdict.ok) {
    return {
      ...common,
      ...keptOfRefusedBody(text, context.takeRefusedBody?.(now) !== false),
      externalId: verdict.externalId,
      isTest: verdict.test,
      score: null,
      scoreFactors: null,
      contentHash: null,
      fields: null,
      consent: null,
      reason: verdict.reason,
    };
  }
  const { externalId, test } = verdict.lead;
  const { score, factors } = scoreLead(verdict.lead, {
    weights: context.weights,
    supplierReturnRate: context.returnRate,
    now,
  });
  return {
    ...common,
    externalId,
    isTest: test,
    score,
    scoreFactors: JSON.stringify(factors),
    contentHash: contentHash(verdict.lead),
    fields: fieldsText(verdict.lead),
    consent: proofText(verdict.lead),
    reason: null,
    rawBody: text,
    rawBodyBytes: null,
  };
}

/** The JSON of LeadFields. Apart from the rest, because JSON.stringify is slow on whatever holds an object without prototype. */
function fieldsText({ externalId: _externalId, test: _test, extra, ...fields }: ValidLead): string {
  return `${JSON.stringify(fields).slice(0, -1)},"extra":${JSON.stringify(extra)}}`;
}

export type IngestResponse =
  | { readonly kind: 'accepted'; readonly leadId: string; readonly score: number; readonly isRepeat: boolean }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'conflict' };

/** What the supplier is told once the submission is on disk. */
export function responseTo(submission: Submission, result: StoreResult): IngestResponse {
  if (result.kind === 'conflict') return { kind: 'conflict' };
  if (submission.score === null) return { kind: 'rejected', reason: submission.reason ?? '' };
  return result.kind === 'repeated'
    ? { kind: 'accepted', leadId: typeId('lead', result.leadId), score: result.score, isRepeat: true }
    : { kind: 'accepted', leadId: typeId('lead', submission.leadId), score: submission.score, isRepeat: false };
}
