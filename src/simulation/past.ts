// The past as a simulation sees it: what was decided, on which leads, and what became of the deliveries. Instants in milliseconds.
import type { DeliveryId, LeadId, Uuid } from '../base/ids.ts';
import type { IdentityHash } from '../leads/identity.rules.ts';
import type { LeadToRoute } from '../routing/lead-facts.ts';

export type LeadOutcome = 'routed' | 'rejected' | 'held';

export type PastDecision = {
  readonly leadId: LeadId;
  readonly decidedAt: number;
  /** The configuration's. */
  readonly version: number;
  readonly outcome: LeadOutcome;
  /** When the first offer was to open for a held lead, which may have had to wait longer behind others; null otherwise. */
  readonly opensAt: number | null;
  /** The deliveries that it made. */
  readonly sold: readonly Uuid[];
  /** Why the first offer that wanted the lead was left out; null where there was none. */
  readonly leftOut: string | null;
  /** Buyers that were passed over because their endpoints had been out of order for too long, with the time since when. */
  readonly failing: ReadonlyMap<string, Date>;
  /** Whether the lead has not been decided on again since. */
  readonly isLast: boolean;
};

export type PastDelivery = {
  readonly deliveryId: DeliveryId;
  readonly offerKey: string;
  readonly buyerKey: string;
  readonly payoutCents: number;
  /** In which it kept its person from being sold again. */
  readonly scope: string;
  readonly deliveredAt: number;
  readonly failedAt: number | null;
  /** Of a failed one: nobody else was offered the lead after it. */
  readonly mayHaveArrived: boolean;
  readonly isReturned: boolean;
  readonly appointmentAt: number | null;
};

export type PastLead = {
  readonly leadId: LeadId;
  /** As it came in, nobody having had it; null where its fields are erased, so that it cannot be decided on again. */
  readonly toRoute: LeadToRoute | null;
  readonly identities: readonly IdentityHash[];
  /** All of them, also those from before the window. */
  readonly deliveries: readonly PastDelivery[];
  /** As the lead stands now; one that waits for another decision counts as held. */
  readonly outcome: LeadOutcome;
  readonly isDuplicate: boolean;
};

/** A buyer's money that moved without a sale; above 0 where the buyer has more after it. */
export type Posting = {
  readonly buyerKey: string;
  readonly amountCents: number;
  readonly at: number;
  /** The delivery that was credited; null for money that concerns none. */
  readonly deliveryId: DeliveryId | null;
};

/** As of this version of the configuration the buyer's endpoint at this URL is out of use, or in use again. */
export type EndpointChange = {
  readonly buyerKey: string;
  readonly version: number;
  readonly webhookUrl: string | null;
  readonly isDisabled: boolean;
};

/** While this lasted the buyer got no new leads. */
export type Outage = { readonly buyerKey: string; readonly from: number; readonly until: number };

/** What the simulated market begins with. */
export type MarketStart = {
  /** Only windows under way and what still holds its slot. */
  readonly capUse: ReadonlyArray<{
    offerKey: string;
    window: string;
    startsAt: number;
    used: number;
    usedCents: number;
  }>;
  readonly slotUse: ReadonlyArray<{ offerKey: string; startsAt: number; used: number }>;
  /** By buyer: cents of its own that are not promised, below 0 for debts. */
  readonly funds: ReadonlyMap<string, number>;
  /** Offers in the order of their last turns. */
  readonly turns: readonly string[];
  /** In the order of versions. */
  readonly endpoints: readonly EndpointChange[];
};
