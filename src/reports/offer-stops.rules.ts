// Explains to partner and operator why an offer receives no leads now: the first reason in the order of routing (contract 4.3) that
// depends on the account and its sales, not on the lead.
import { formatMoney } from '../base/money.ts';
import { capWindows, type CapWindow } from '../base/time.ts';
import type { Buyer, BuyerSetting, Channel } from '../buyers/buyer.ts';
import { settingOf } from '../buyers/channel-target.rules.ts';
import { exclusion } from '../routing/offer-index.rules.ts';
import type { Offer } from '../routing/offer.ts';
import type { WindowUses } from './offer-windows.rules.ts';

export type OfferStop =
  | { readonly code: 'offer_closed' | 'offer_paused' | 'partner_not_active' }
  | { readonly code: 'channel_not_ready'; readonly channel: Channel; readonly setting: BuyerSetting }
  | { readonly code: 'endpoint_disabled'; readonly since: Date }
  | { readonly code: 'paused_by_partner'; readonly since: Date; readonly resetsAt: Date | null }
  | { readonly code: 'funds_paused'; readonly belowCents: number }
  | { readonly code: 'rejections_paused'; readonly since: Date; readonly resetsAt: Date }
  | { readonly code: 'cap_reached'; readonly window: CapWindow; readonly cap: number; readonly resetsAt: Date }
  | {
      readonly code: 'budget_reached';
      readonly window: CapWindow;
      readonly budgetCents: number;
      readonly leftCents: number;
      readonly resetsAt: Date;
    }
  | { readonly code: 'funds_missing'; readonly availableCents: number; readonly priceCents: number };

export type OfferStopCode = OfferStop['code'];

/** Cents that an account can spend; null without a limit. */
export type Available = number | null;

export function offerStop(
  offer: Offer,
  buyer: Buyer,
  { uses, available }: { readonly uses: WindowUses; readonly available: Available },
): OfferStop | null {
  return configuredStop(offer, buyer) ?? windowStop(offer, uses) ?? fundsStop(offer, available);
}

/** The part that follows from the configuration and the state of the account, not from its sales. */
export function configuredStop(offer: Offer, buyer: Buyer): OfferStop | null {
  if (offer.status === 'closed') return { code: 'offer_closed' };
  const [primary] = buyer.channels;
  switch (exclusion(offer, buyer)?.code) {
    case 'partner_not_active':
      return { code: 'partner_not_active' };
    case 'offer_not_active':
      return { code: 'offer_paused' };
    case 'channel_not_ready':
      return primary === undefined
        ? null
        : { code: 'channel_not_ready', channel: primary, setting: settingOf(primary) };
    case 'endpoint_disabled':
      return buyer.endpointDisabledAt === null ? null : { code: 'endpoint_disabled', since: buyer.endpointDisabledAt };
    case 'paused_by_partner':
      return buyer.ownPause === null
        ? null
        : { code: 'paused_by_partner', since: buyer.ownPause.since, resetsAt: buyer.ownPause.until };
    case 'funds_paused':
      return { code: 'funds_paused', belowCents: buyer.billing.pauseBelowCents ?? 0 };
    case 'rejections_paused':
      return offer.rejectionsPause === null
        ? null
        : { code: 'rejections_paused', since: offer.rejectionsPause.since, resetsAt: offer.rejectionsPause.until };
    default:
      return null;
  }
}

/** Among several exhausted windows, the one that resets last. */
function windowStop({ caps, budgetCents, payoutCents }: Offer, uses: WindowUses): OfferStop | null {
  const stops = capWindows.flatMap((window): OfferStop[] => {
    const [cap, budget, { used, usedCents, span }] = [caps[window], budgetCents[window], uses[window]];
    const resetsAt = new Date(span.until);
    if (cap !== null && used >= cap) return [{ code: 'cap_reached', window, cap, resetsAt }];
    if (budget === null || usedCents + payoutCents <= budget) return [];
    return [
      { code: 'budget_reached', window, budgetCents: budget, leftCents: Math.max(0, budget - usedCents), resetsAt },
    ];
  });
  return stops.at(-1) ?? null;
}

function fundsStop({ payoutCents }: Offer, available: Available): OfferStop | null {
  if (available === null || available >= payoutCents) return null;
  return { code: 'funds_missing', availableCents: Math.max(0, available), priceCents: payoutCents };
}

const WINDOWS: Readonly<Record<CapWindow, string>> = { daily: 'today', weekly: 'this week', monthly: 'this month' };
const CHANNELS: Readonly<Record<Channel, string>> = {
  webhook: 'webhook URL',
  email: 'email address',
  sms: 'number for text messages',
  sheets: 'spreadsheet',
  sheets_script: 'script URL',
};

const FIXED: Readonly<Partial<Record<OfferStopCode, string>>> = {
  offer_closed: 'The offer is closed',
  offer_paused: 'The offer is paused',
  partner_not_active: 'The account is not active',
  paused_by_partner: 'Paused by the account itself',
  endpoint_disabled: 'The webhook is disabled after failing',
  rejections_paused: 'Paused because many of its leads were rejected today',
};

/** For example `Out of funds: $6.00 available, price $45.00`. The page adds the reset time, because it knows the zone. */
export function offerStopInWords(stop: OfferStop, currency: string): string {
  const money = (cents: number): string => formatMoney(cents, currency);
  if (stop.code === 'channel_not_ready') return `Nowhere to deliver: no ${CHANNELS[stop.channel]} is set`;
  if (stop.code === 'cap_reached') return `Cap full: ${stop.cap.toLocaleString('en-US')} leads ${WINDOWS[stop.window]}`;
  if (stop.code === 'budget_reached') {
    return `Budget used: ${money(stop.leftCents)} of ${money(stop.budgetCents)} left ${WINDOWS[stop.window]}`;
  }
  if (stop.code === 'funds_paused') {
    return `Paused: the available funds are below ${money(stop.belowCents)}`;
  }
  if (stop.code === 'funds_missing') {
    return `Out of funds: ${money(stop.availableCents)} available, price ${money(stop.priceCents)}`;
  }
  return FIXED[stop.code] ?? 'The offer receives no leads';
}

export function resetOf(stop: OfferStop): Date | null {
  return 'resetsAt' in stop ? stop.resetsAt : null;
}

export function sinceOf(stop: OfferStop): Date | null {
  return 'since' in stop ? stop.since : null;
}

/** Fewer leads than this sell out soon. */
const LOW_LEADS = 10;

/**
 * How many leads the funds still pay for, if that is fewer than ten or than a recent average day. Null if the funds suffice, or are
 * already exhausted.
 */
export function leadsUntilOutOfFunds(
  available: Available,
  { priceCents, spentADayCents }: { readonly priceCents: number; readonly spentADayCents: number },
): number | null {
  if (available === null || available < priceCents || priceCents === 0) return null;
  const leads = Math.floor(available / priceCents);
  return leads < LOW_LEADS || available < spentADayCents ? leads : null;
}
