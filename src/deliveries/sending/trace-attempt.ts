// Adds an attempt, and the storing of its result, to the trace of its lead if that is sampled (decision 058).
import { typeId } from '../../base/ids.ts';
import { targetOf } from '../../buyers/channel-target.rules.ts';
import { factsOf } from '../../platform/outbound/send-outcome.ts';
import type { SpanAttributes, Tracing } from '../../platform/tracing/tracing.ts';
import type { StartedAttempt } from './begin-attempts.ts';
import type { AttemptResult, FinishReport } from './finish-attempts.ts';

type Storing = {
  /** When the response was there. */
  readonly endedAt: Date;
  /** When the result was committed. */
  readonly storedAt: Date;
  readonly report: FinishReport;
};

/** Call it after the commit of the result. The texts of responses and errors stay out: they may quote anything. */
export function traceAttempt(
  tracing: Tracing,
  { row, recipient }: StartedAttempt,
  { result, endedAt, storedAt, report }: Storing & { readonly result: AttemptResult },
): void {
  if (!tracing.isSampled(row.leadId)) return;
  const { outcome, judgement, channel, purpose } = result;
  const { responseCode, latencyMs } = factsOf(outcome);
  const ids = {
    'leadmarket.lead_id': typeId('lead', row.leadId),
    'leadmarket.delivery_id': typeId('delivery', row.deliveryId),
    'leadmarket.attempt_id': typeId('attempt', result.attemptId),
    'leadmarket.partner_key': result.buyerKey,
    'leadmarket.channel': channel,
    'leadmarket.purpose': purpose,
  };
  const attemptId = tracing.addChild(row.leadId, {
    name: `attempt ${channel}`,
    kind: 'client',
    startedMs: result.startedAt.getTime(),
    endedMs: endedAt.getTime(),
    attributes: {
      ...ids,
      'leadmarket.attempt': result.number,
      'leadmarket.latency_ms': latencyMs,
      'leadmarket.outcome': outcome.kind === 'not_taken' ? outcome.why : outcome.kind,
      ...statusOf(channel, responseCode),
      ...hostOf(result, recipient.settings),
    },
    failed: outcome.kind === 'not_taken',
  });
  const isConfirmed = purpose === 'sale' && report.confirmedIds.includes(row.deliveryId);
  tracing.addChild(
    row.leadId,
    {
      ...{ name: 'store result', kind: 'internal', startedMs: endedAt.getTime(), endedMs: storedAt.getTime() },
      // A confirmed delivery is charged in the same transaction.
      attributes: { ...ids, 'leadmarket.outcome': isConfirmed ? 'confirmed' : judgement.kind },
    },
    attemptId,
  );
}

function statusOf(channel: AttemptResult['channel'], code: number | null): SpanAttributes {
  if (code === null) return {};
  // A mail server's reply code is no HTTP status.
  return { [channel === 'email' ? 'leadmarket.smtp_code' : 'http.response.status_code']: code };
}

/** The host of a webhook; other channels have targets that are personal data. */
function hostOf(
  { channel }: Pick<AttemptResult, 'channel'>,
  settings: StartedAttempt['recipient']['settings'],
): SpanAttributes {
  const target = channel === 'webhook' ? targetOf(channel, settings) : null;
  const url = target === null ? null : URL.parse(target);
  return url === null ? {} : { 'server.address': url.hostname };
}
