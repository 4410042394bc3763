// Prepares a posted lead for storage: field mapping, validation and score, and the response to it (contract 3).
import { type LeadId, newUuid, typeId } from '../base/ids.ts';
import type { Regions } from '../base/regions.ts';
import type { ScoreWeights } from '../marketplace/settings.ts';
import { applyFieldMapping, type CompiledFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { withCertificates } from './certificates.rules.ts';
import { consentProofText } from './consent-proof.rules.ts';
import { contentHash } from './content-hash.rules.ts';
import type { ValidLead } from './lead-fields.ts';
import { truncateRefusedBody } from './refused-body.rules.ts';
import { scoreLead } from './score-lead.rules.ts';
import type { StoreResult, Submission } from './store-submissions.ts';
import type { SupplierVerticals } from './supplier-verticals.rules.ts';
import { validateMapped } from './unreadable-values.rules.ts';

export type IngestContext = {
  readonly supplierKey: string;
  readonly mapping: CompiledFieldMapping;
  readonly regions: Regions;
  /** Null, the default, where the marketplace has no verticals. */
  readonly verticals?: SupplierVerticals | null;
  readonly weights: ScoreWeights;
  /** 0–1 over the last 30 days. */
  readonly returnRate: number;
  /** Whether the body of one more rejected submission may be stored; default yes. */
  readonly takeRefusedBody?: (now: Date) => boolean;
  /** Makes every submission a test lead, even if its body or the mapping says otherwise. */
  readonly isTest?: true;
};

/** A JSON object as parsed, and its text as received. */
export type PostedBody = {
  readonly members: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The id to store it under, if it is stored; by default a new one. */
  readonly leadId?: LeadId | undefined;
};

export function prepareSubmission(
  { members, text, leadId = newUuid() }: PostedBody,
  context: IngestContext,
  now: Date,
): Submission {
  const mapped = applyFieldMapping(context.mapping, members);
  const body = context.isTest === true ? { ...mapped, test: true } : mapped;
  const verdict = validateMapped(body, context.mapping, context, now);
  const common = { leadId, supplierKey: context.supplierKey, receivedAt: now };
  if (!verdict.ok) {
    return {
      ...common,
      ...truncateRefusedBody(text, context.takeRefusedBody?.(now) !== false),
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
  const { externalId, test, vertical } = verdict.lead;
  // Before certificates are looked for among the further members, so that the content is what it was in earlier releases.
  const hash = contentHash(verdict.lead);
  const lead = withCertificates(verdict.lead);
  const fields = (vertical === undefined ? undefined : context.verticals?.open.get(vertical)?.fields) ?? [];
  const { score, factors } = scoreLead(lead, {
    weights: context.weights,
    supplierReturnRate: context.returnRate,
    ownNames: fields.map(({ name }) => name),
    now,
  });
  return {
    ...common,
    externalId,
    isTest: test,
    score,
    scoreFactors: JSON.stringify(factors),
    contentHash: hash,
    fields: fieldsText(lead),
    consent: consentProofText(lead),
    reason: null,
    rawBody: text,
    rawBodyBytes: null,
  };
}

/** JSON of LeadFields. `extra` separately: JSON.stringify is slow on an object that contains one without prototype. */
function fieldsText({
  externalId: _externalId,
  test: _test,
  namesVertical: _namesVertical,
  extra,
  ...fields
}: ValidLead): string {
  return `${JSON.stringify(fields).slice(0, -1)},"extra":${JSON.stringify(extra)}}`;
}

export type IngestResponse =
  | { readonly kind: 'accepted'; readonly leadId: string; readonly score: number; readonly isRepeat: boolean }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'conflict' };

/** The response to a stored submission. */
export function responseTo(submission: Submission, result: StoreResult): IngestResponse {
  if (result.kind === 'conflict') return { kind: 'conflict' };
  if (submission.score === null) return { kind: 'rejected', reason: submission.reason ?? '' };
  return result.kind === 'repeated'
    ? { kind: 'accepted', leadId: typeId('lead', result.leadId), score: result.score, isRepeat: true }
    : { kind: 'accepted', leadId: typeId('lead', submission.leadId), score: submission.score, isRepeat: false };
}
