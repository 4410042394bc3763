// The marketplace's settings in the words of the file (contract 7.6).
import type { MarketplaceSettings, Retention } from '../marketplace/settings.ts';

/** Members in the order of the file; equal settings have forms that are equal as JSON text. */
export function settingsForm(settings: MarketplaceSettings): Record<string, unknown> {
  const { scoreWeights, breaker } = settings;
  return {
    name: settings.name,
    currency: settings.currency,
    strategy: settings.strategy,
    regions: settings.regions,
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
    retention: retentionForm(settings.retention),
  };
}

/** Stands for null, which in a file means that nothing is said and the default holds. */
export const FOREVER = 'forever';

function retentionForm(retention: Retention): Record<string, number | typeof FOREVER> {
  const { leadDays, rawBodyDays, snippetDays, attemptDays, decisionDays, personDays, consentYears } = retention;
  return {
    leadDays: leadDays ?? FOREVER,
    rawBodyDays: rawBodyDays ?? FOREVER,
    snippetDays: snippetDays ?? FOREVER,
    attemptDays: attemptDays ?? FOREVER,
    decisionDays: decisionDays ?? FOREVER,
    personDays: personDays ?? FOREVER,
    consentYears: consentYears ?? FOREVER,
  };
}
