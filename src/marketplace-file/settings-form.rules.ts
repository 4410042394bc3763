// The marketplace's settings in the words of the file (contract 7).
import type { MarketplaceSettings } from '../marketplace/settings.ts';

/** Members in the order of the file; equal settings have forms that are equal as JSON text. */
export function settingsForm(settings: MarketplaceSettings): Record<string, unknown> {
  const { scoreWeights, breaker } = settings;
  return {
    currency: settings.currency,
    strategy: settings.strategy,
    dedupDays: settings.dedupDays,
    holdMinutes: settings.holdMinutes,
    retrySeconds: settings.retrySeconds,
    scoreWeights: {
      contact: scoreWeights.contact,
      completeness: scoreWeights.completeness,
      consent: scoreWeights.consent,
      supplier: scoreWeights.supplier,
      plausibility: scoreWeights.plausibility,
    },
    breaker: { failures: breaker.failures, probeSeconds: breaker.probeSeconds },
  };
}
