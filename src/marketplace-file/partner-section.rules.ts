// Reads one entry of `partners:` with its settings and offers (contract 6.16, 7.6).
import type { Regions } from '../base/regions.ts';
import { startOfUtcDay, isTimeZone } from '../base/time.ts';
import {
  betaTools,
  buyerRateLimit,
  buyerSettings,
  buyerStatuses,
  channels,
  defaultReturnPolicy,
  editableFields,
  type BuyerConfig,
  type BuyerSetting,
  type ClaimCap,
  type ReturnPolicy,
} from '../buyers/buyer.ts';
import { checkSetting, type SettingOptions } from '../buyers/check-setting.rules.ts';
import type { FileSettings } from '../buyers/read-file-settings.ts';
import { readRateLimit } from './marketplace-section.rules.ts';
import type { PartnerEntry } from './marketplace-file.ts';
import { readOffer } from './offer-section.rules.ts';
import {
  addFault,
  alphabetically,
  inOrderOf,
  optional,
  plainValue,
  readCents,
  readDistinct,
  readInteger,
  readKey,
  readList,
  readMembers,
  readOneOf,
  readSet,
  readText,
  required,
  type Members,
  type Read,
  type Spot,
} from './read-tree.rules.ts';
import { memberPath } from './yaml-tree.rules.ts';

const MEMBERS = [
  'key',
  'name',
  'status',
  'timeZone',
  'channels',
  'settings',
  'editableFields',
  'betaTools',
  'rateLimit',
  'returnPolicy',
  'billing',
  'offers',
];
const billingModes = ['postpaid', 'prepaid'] as const;
// Nobody waits a year for a decision on a return; a longer window is a slip of the hand.
const WINDOW_DAYS_MAX = 365;
const CLAIMS_MAX = 1_000_000;
const PERCENT = /^(\d{1,3}(?:\.\d{1,2})?)%$/;

/** A URL among the settings is reported to `onTarget` once it has passed. */
export type PartnerOptions = SettingOptions & {
  readonly regions: Regions;
  onTarget(url: string, spot: Spot): void;
};

export function readPartner(options: PartnerOptions): Read<PartnerEntry> {
  return (spot) => {
    const members = readMembers(spot, MEMBERS);
    const buyer = readBuyer(members);
    return {
      buyer,
      settings: optional(members, 'settings', (settings) => readSettings(settings, options), {}),
      offers: optional(members, 'offers', readList(readOffer(buyer.buyerKey, options.regions)), []),
    };
  };
}

function readBuyer(members: Members): BuyerConfig {
  const buyerKey = required(members, 'key', readKey);
  return {
    buyerKey,
    name: optional(members, 'name', readText, buyerKey),
    status: optional(members, 'status', readOneOf(buyerStatuses), 'active'),
    timeZone: optional(members, 'timeZone', readTimeZone, 'UTC'),
    channels: optional(members, 'channels', readDistinct(readOneOf(channels)), []),
    editableFields: optional(members, 'editableFields', readSet(readOneOf(editableFields), inOrderOf(editableFields)), [
      ...editableFields,
    ]),
    betaTools: optional(members, 'betaTools', readSet(readOneOf(betaTools), inOrderOf(betaTools)), []),
    rateLimit: optional(members, 'rateLimit', readRateLimit(buyerRateLimit), buyerRateLimit),
    returnPolicy: optional(members, 'returnPolicy', readReturnPolicy, defaultReturnPolicy),
    billing: optional(members, 'billing', readBilling, { mode: 'postpaid', creditLimitCents: null }),
  };
}

function readTimeZone(spot: Spot): string {
  const before = spot.faults.length;
  const timeZone = readText(spot);
  if (spot.faults.length === before && !isTimeZone(timeZone)) {
    addFault(spot, 'must be an IANA time zone, such as America/New_York');
  }
  return timeZone;
}

/** What the file states, null included: that clears a setting, while one left out is left alone. */
function readSettings(spot: Spot, options: PartnerOptions): FileSettings {
  // Members that are null are not among those read here, so that the map itself is looked at.
  const { isMap } = readMembers(spot, buyerSettings);
  const stated: { -readonly [Name in BuyerSetting]?: unknown } = {};
  for (const { key, value } of isMap && spot.tree.kind === 'map' ? spot.tree.entries : []) {
    const name = buyerSettings.find((known) => known === key);
    if (name === undefined) continue;
    const at: Spot = { tree: value, path: memberPath(spot.path, key), faults: spot.faults };
    const verdict = checkSetting(name, plainValue(value), options);
    if (!verdict.ok) addFault(at, hintedMessage(at, verdict.message));
    else {
      stated[name] = verdict.value;
      if (name.endsWith('Url') && typeof verdict.value === 'string') options.onTarget(verdict.value, at);
    }
  }
  return stated as FileSettings;
}

/** YAML reads `+15555550123` without quotes as a number. */
function hintedMessage({ tree }: Spot, message: string): string {
  const isNumber = tree.kind === 'scalar' && typeof tree.value === 'number';
  return isNumber ? `${message}; write it in quotes: "${tree.source}"` : message;
}

function readReturnPolicy(spot: Spot): ReturnPolicy {
  const members = readMembers(spot, ['windowBusinessDays', 'holidays', 'disputeWindowDays', 'monthlyCaps']);
  const { windowBusinessDays, disputeWindowDays, monthlyCaps } = defaultReturnPolicy;
  return {
    windowBusinessDays: optional(members, 'windowBusinessDays', readInteger(0, WINDOW_DAYS_MAX), windowBusinessDays),
    holidays: optional(members, 'holidays', readSet(readDay, alphabetically), []),
    disputeWindowDays: optional(members, 'disputeWindowDays', readInteger(0, WINDOW_DAYS_MAX), disputeWindowDays),
    monthlyCaps: optional(members, 'monthlyCaps', readMonthlyCaps, monthlyCaps),
  };
}

function readMonthlyCaps(spot: Spot): ReturnPolicy['monthlyCaps'] {
  const members = readMembers(spot, ['leads', 'bookings']);
  const { leads, bookings } = defaultReturnPolicy.monthlyCaps;
  return {
    leads: optional(members, 'leads', readClaimCap, leads),
    bookings: optional(members, 'bookings', readClaimCap, bookings),
  };
}

function readClaimCap(spot: Spot): ClaimCap {
  const value = spot.tree.kind === 'scalar' ? spot.tree.value : null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= CLAIMS_MAX)
    return { count: value };
  const percent = typeof value === 'string' ? Number(PERCENT.exec(value)?.[1] ?? Number.NaN) : Number.NaN;
  if (percent <= 100) return { percent };
  addFault(spot, 'must be a count such as 20, or a percentage up to 100 such as "10%"');
  return { count: 0 };
}

function readDay(spot: Spot): string {
  const before = spot.faults.length;
  const day = readText(spot);
  if (spot.faults.length === before && startOfUtcDay(day) === null)
    addFault(spot, 'must be a real day such as 2026-12-24');
  return day;
}

function readBilling(spot: Spot): BuyerConfig['billing'] {
  const members = readMembers(spot, ['mode', 'creditLimit']);
  const mode = optional(members, 'mode', readOneOf(billingModes), 'postpaid');
  const creditLimitCents = optional(members, 'creditLimit', readCents, null);
  if (mode === 'postpaid') return { mode, creditLimitCents };
  const limitSpot = members.byName.get('creditLimit');
  if (creditLimitCents !== null && creditLimitCents > 0 && limitSpot !== undefined) {
    addFault(limitSpot, 'must be 0 or left out: who pays in advance has no credit');
  }
  return { mode, creditLimitCents: 0 };
}
