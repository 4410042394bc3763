// Reads `marketplace:`, the settings that all share; what it leaves out is as shipped (contract 7.6).
import { countries, type Regions } from '../base/regions.ts';
import {
  defaultSettings,
  type MarketplaceSettings,
  type RateLimit,
  type Retention,
  type ScoreWeights,
  type Strategy,
} from '../marketplace/settings.ts';
import {
  addFault,
  inOrderOf,
  optional,
  readInteger,
  readLine,
  readList,
  readMembers,
  readNumber,
  readOneOf,
  readPattern,
  readSet,
  type Spot,
} from './read-tree.rules.ts';
import { FOREVER } from './settings-form.rules.ts';

const strategies: readonly Strategy[] = ['price', 'weighted', 'round_robin'];
// An invoice has one line for it.
const NAME_LENGTH_MAX = 100;
const readCurrency = readPattern(/^[A-Z]{3}$/, 'a currency code of three capitals, such as USD');
// Ten years: more is a slip of the hand.
const DEDUP_DAYS_MAX = 3650;
// A week: a lead that waited longer is no lead any more.
const HOLD_MINUTES_MAX = 10_080;
const RETRY_SECONDS_MAX = 604_800;
const ATTEMPTS_MAX = 50;
const WEIGHT_MAX = 1_000_000;
// A hundred years: more is meant to be for ever.
const RETENTION_DAYS_MAX = 36_500;
const CONSENT_YEARS_MAX = 100;
const REQUESTS_MAX = 1_000_000;

export function readMarketplace(spot: Spot): MarketplaceSettings {
  const members = readMembers(spot, Object.keys(defaultSettings));
  return {
    name: optional(members, 'name', readLine(NAME_LENGTH_MAX), defaultSettings.name),
    currency: optional(members, 'currency', readCurrency, defaultSettings.currency),
    strategy: optional(members, 'strategy', readOneOf(strategies), defaultSettings.strategy),
    regions: optional(members, 'regions', readRegions, defaultSettings.regions),
    dedupDays: optional(members, 'dedupDays', readInteger(0, DEDUP_DAYS_MAX), defaultSettings.dedupDays),
    holdMinutes: optional(members, 'holdMinutes', readInteger(0, HOLD_MINUTES_MAX), defaultSettings.holdMinutes),
    retrySeconds: optional(members, 'retrySeconds', readRetrySeconds, defaultSettings.retrySeconds),
    scoreWeights: optional(members, 'scoreWeights', readScoreWeights, defaultSettings.scoreWeights),
    breaker: optional(members, 'breaker', readBreaker, defaultSettings.breaker),
    retention: optional(members, 'retention', readRetention, defaultSettings.retention),
  };
}

/** Shared by suppliers and partners. */
export function readRateLimit(otherwise: RateLimit): (spot: Spot) => RateLimit {
  return (spot) => {
    const members = readMembers(spot, ['perSecond', 'burst']);
    return {
      perSecond: optional(members, 'perSecond', readPerSecond, otherwise.perSecond),
      burst: optional(members, 'burst', readInteger(1, REQUESTS_MAX), otherwise.burst),
    };
  };
}

function readPerSecond(spot: Spot): number {
  const perSecond = readNumber(0, REQUESTS_MAX)(spot);
  // A bucket that never refills would shut its owner out for good; that is what a status is for.
  if (spot.tree.kind === 'scalar' && spot.tree.value === 0) addFault(spot, 'must be more than 0');
  return perSecond;
}

function readRegions(spot: Spot): Regions {
  const { tree, faults } = spot;
  if (tree.kind === 'scalar' && tree.value === 'any') return 'any';
  const before = faults.length;
  const regions = readSet(readOneOf(countries), inOrderOf(countries))(spot);
  if (regions.length === 0 && faults.length === before) addFault(spot, 'must name US or CA or both, or be any');
  return regions;
}

function readRetrySeconds(spot: Spot): number[] {
  const seconds = readList(readInteger(0, RETRY_SECONDS_MAX))(spot);
  if (spot.tree.kind === 'list' && (seconds.length === 0 || seconds.length > ATTEMPTS_MAX)) {
    addFault(spot, `must name 1 to ${ATTEMPTS_MAX} waits, one for each attempt`);
  }
  return seconds;
}

function readScoreWeights(spot: Spot): ScoreWeights {
  const { scoreWeights } = defaultSettings;
  const members = readMembers(spot, Object.keys(scoreWeights));
  const read = readNumber(0, WEIGHT_MAX);
  const weights: ScoreWeights = {
    contact: optional(members, 'contact', read, scoreWeights.contact),
    completeness: optional(members, 'completeness', read, scoreWeights.completeness),
    consent: optional(members, 'consent', read, scoreWeights.consent),
    supplier: optional(members, 'supplier', read, scoreWeights.supplier),
    plausibility: optional(members, 'plausibility', read, scoreWeights.plausibility),
  };
  const isAllZero = Object.values(weights).every((weight) => weight === 0);
  const isAllStated = members.byName.size === Object.keys(scoreWeights).length;
  // With a fault in it a weight reads as 0, and that fault is told already.
  if (isAllZero && isAllStated && [...members.byName.values()].every(isZero)) addFault(spot, 'must not all be 0');
  return weights;
}

function readBreaker(spot: Spot): MarketplaceSettings['breaker'] {
  const members = readMembers(spot, ['failures', 'probeSeconds']);
  const { failures, probeSeconds } = defaultSettings.breaker;
  return {
    failures: optional(members, 'failures', readInteger(1, 1000), failures),
    probeSeconds: optional(members, 'probeSeconds', readInteger(1, 86_400), probeSeconds),
  };
}

function readRetention(spot: Spot): Retention {
  const { retention } = defaultSettings;
  const members = readMembers(spot, Object.keys(retention));
  const days = readTerm(RETENTION_DAYS_MAX);
  return {
    leadDays: optional(members, 'leadDays', days, retention.leadDays),
    rawBodyDays: optional(members, 'rawBodyDays', days, retention.rawBodyDays),
    snippetDays: optional(members, 'snippetDays', days, retention.snippetDays),
    attemptDays: optional(members, 'attemptDays', days, retention.attemptDays),
    decisionDays: optional(members, 'decisionDays', days, retention.decisionDays),
    personDays: optional(members, 'personDays', days, retention.personDays),
    consentYears: optional(members, 'consentYears', readTerm(CONSENT_YEARS_MAX), retention.consentYears),
  };
}

function readTerm(max: number): (spot: Spot) => number | null {
  const readNumberOfThem = readInteger(1, max);
  return (spot) => {
    const { tree } = spot;
    if (tree.kind === 'scalar' && tree.value === FOREVER) return null;
    if (tree.kind === 'scalar' && typeof tree.value === 'number') return readNumberOfThem(spot);
    addFault(spot, `must be a whole number from 1 to ${max}, or ${FOREVER}`);
    return null;
  };
}

function isZero({ tree }: Spot): boolean {
  return tree.kind === 'scalar' && tree.value === 0;
}
