// Claim kinds, claim statuses and reasons to reject a return, as stored and on the wire (contract 6.7 to 6.9).
export const claimKinds = ['return', 'dispute'] as const;
export type ClaimKind = (typeof claimKinds)[number];

export const claimStatuses = ['submitted', 'under_review', 'approved', 'denied', 'withdrawn'] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

/** The reasons that do not depend on the contents of the return; the first that applies is reported. */
export const returnRefusals = [
  'delivery_not_confirmed',
  'claim_exists',
  'return_window_closed',
  'return_cap_reached',
] as const;
export type ReturnRefusal = (typeof returnRefusals)[number];
