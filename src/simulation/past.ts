// Types of the history that a simulation replays: decisions, leads, deliveries, postings and outages. Instants are in milliseconds.
import type { DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import type { IdentityHash } from '../leads/identity.rules.ts';
import type { LeadToRoute } from '../routing/lead-facts.ts';
import type { SaleCost } from '../suppliers/sale-cost.rules.ts';

/** The part of the terms of a sale that decides what it costs in the end. */
export type LeadCost = Pick<SaleCost, 'model' | 'costCents' | 'clawbackDays'>;

export type LeadOutcome = 'routed' | 'rejected' | 'held';

export type PastDecision = {
  readonly leadId: LeadId;
  readonly decidedAt: number;
  /** Of the configuration. */
  readonly version: number;
  readonly outcome: LeadOutcome;
  /** For a held lead, when the first offer was to open (the lead may have waited longer behind others); null otherwise. */
  readonly opensAt: number | null;
  /** The deliveries that it made. */
  readonly sold: readonly Uuid[];
  /** Why offers whose filters the lead passed were left out, in trial order; `suppressed` alone where a list kept the lead from all. */
  readonly leftOut: readonly string[];
  /** Buyers skipped because their endpoints had failed for too long, with the start of the failure. */
  readonly failing: ReadonlyMap<string, Date>;
  /** Whether this is the lead's last decision. */
  readonly isLast: boolean;
};

export type PastDelivery = {
  readonly deliveryId: DeliveryId;
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly payoutCents: number;
  /** The scope in which it blocked later sales of the identity. */
  readonly scope: string;
  readonly deliveredAt: number;
  readonly failedAt: number | null;
  /** For a failed delivery: the lead was not offered to another buyer after it. */
  readonly mayHaveArrived: boolean;
  readonly isReturned: boolean;
  readonly appointmentAt: number | null;
  /** Under the terms when it was sold; null where the supplier was not paid. */
  readonly cost: LeadCost | null;
};

export type PastLead = {
  readonly leadId: LeadId;
  /** As submitted, without earlier buyers; null if its fields are erased, so that it cannot be decided again. */
  readonly toRoute: LeadToRoute | null;
  readonly identities: readonly IdentityHash[];
  /** All deliveries, also those from before the window. */
  readonly deliveries: readonly PastDelivery[];
  /** The present outcome; a lead that waits for another decision counts as held. */
  readonly outcome: LeadOutcome;
  readonly isDuplicate: boolean;
};

/** A posting on a buyer's account other than a sale; positive if it increases the buyer's funds. */
export type Posting = {
  readonly buyerKey: string;
  readonly amountCents: number;
  readonly at: number;
  /** The credited delivery; null for a posting without one. */
  readonly deliveryId: DeliveryId | null;
};

/** From this configuration version on, the buyer's endpoint at this URL is disabled, or enabled again. */
export type EndpointChange = {
  readonly buyerKey: string;
  readonly version: number;
  readonly webhookUrl: string | null;
  readonly isDisabled: boolean;
};

/** A period in which the buyer got no new leads. */
export type Outage = { readonly buyerKey: string; readonly from: number; readonly until: number };

/** The initial state of the simulated market. */
export type MarketStart = {
  /** Use of the windows that contain the start. */
  readonly capUse: ReadonlyArray<{
    offerKey: string;
    window: string;
    startsAt: number;
    used: number;
    usedCents: number;
  }>;
  readonly slotUse: ReadonlyArray<{ offerKey: string; startsAt: number; used: number }>;
  /** By buyer: cents that are neither spent nor held, negative for debts. */
  readonly funds: ReadonlyMap<string, number>;
  /** Offers in the order of their last turns. */
  readonly turns: readonly string[];
  /** In the order of versions. */
  readonly endpoints: readonly EndpointChange[];
};
