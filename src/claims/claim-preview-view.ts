// A dry run of a claim as its partner reads it (contract 6.11).
import { typeId } from '../base/ids.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import { problemCatalogue } from '../platform/http/problem-catalogue.ts';
import type { ClaimPreviewView } from './claim.schema.ts';
import type { ClaimPreview } from './preview-filing.ts';

/** Status and detail as the problem document of the refusal would have them. */
export function claimPreviewView(preview: ClaimPreview): ClaimPreviewView {
  const { delivery, refusal, until, decisionDueAt, proofRequired, cap } = preview;
  return {
    deliveryId: typeId('delivery', delivery.deliveryId),
    deliveryRef: deliveryRef(delivery.eventType, delivery.refNumber),
    allowed: refusal === null,
    refusal:
      refusal === null
        ? null
        : {
            status: problemCatalogue[refusal.code].status,
            code: refusal.code,
            detail: refusal.detail ?? problemCatalogue[refusal.code].meaning,
          },
    until: until.toISOString(),
    decisionDueAt: decisionDueAt.toISOString(),
    proofRequired,
    // A cap may have been lowered since.
    cap: cap && { ...cap, month: cap.month.slice(0, 'YYYY-MM'.length), remaining: Math.max(0, cap.limit - cap.used) },
  };
}
