// The problem codes that only the portal and the console use (decision 022).

export type CatalogueEntry = {
  /** The HTTP status the code comes with; null for codes that stand only in `errors[].code`. */
  readonly status: number | null;
  /** The same for every occurrence: the problem document's `title`. */
  readonly title: string;
  /** What happened; the default of the problem document's `detail`. */
  readonly meaning: string;
  readonly remedy: string;
};

/** In the order of their statuses. */
export const pageProblems = {
  totp_required: {
    status: 401,
    title: 'Code needed',
    meaning: 'The name and the password are right; a one-time code is needed as well.',
    remedy: 'Sign in again with the six digits that your authenticator app shows.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'From another site',
    meaning: 'A session is used by our own pages only, and this request does not come from one.',
    remedy: 'Open the portal or the console itself. Programs use the API with a credential.',
  },
  role_not_allowed: {
    status: 403,
    title: 'Not part of your role',
    meaning: 'Your role does not allow this.',
    remedy: 'Ask an administrator of the marketplace to do it, or to give you another role.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor needed',
    meaning: 'Every operator must have a second factor here, and you have none yet.',
    remedy: 'Open the console and set one up; nothing else is open to you until then.',
  },
  second_factor_set: {
    status: 409,
    title: 'Second factor set up',
    meaning: 'You have a second factor already.',
    remedy: 'To replace it, ask an administrator to run `leadmarket operator reset-totp`.',
  },
  claim_closed: {
    status: 409,
    title: 'Claim closed',
    meaning: 'The claim is decided or withdrawn.',
    remedy: 'Read it again; a claim is decided once.',
  },
  claim_not_submitted: {
    status: 409,
    title: 'Claim under review',
    meaning: 'The review of this claim has begun.',
    remedy: 'Read it again; it can be approved or denied all the same.',
  },
  already_running: {
    status: 409,
    title: 'Already running',
    meaning: 'The same work is being done at this moment.',
    remedy: 'Wait until it has ended.',
  },
  month_not_over: {
    status: 409,
    title: 'Month not over',
    meaning: 'The month is not over yet in the time zone of a partner.',
    remedy: 'Wait until it is over for all, or invoice one partner.',
  },
  invoice_paid: {
    status: 409,
    title: 'Invoice paid',
    meaning: 'Nothing is due of this invoice.',
    remedy: 'To post another payment, make an entry in the ledger.',
  },
  invoice_void: {
    status: 409,
    title: 'Invoice void',
    meaning: 'The invoice is void: nothing is to be paid.',
    remedy: 'What stood on it is on the next invoice of the month.',
  },
  invoice_has_payments: {
    status: 409,
    title: 'Invoice has payments',
    meaning: 'An invoice with payments of its own cannot be voided.',
    remedy: 'Put right what is wrong with it by a credit in the ledger.',
  },
  invoice_carried: {
    status: 409,
    title: 'Invoice carried over',
    meaning: 'The credits of this invoice exceeded its charges, and a later invoice has taken the rest.',
    remedy: 'Void the later invoice first, or correct the amount with an entry in the ledger.',
  },
  balance_too_low: {
    status: 409,
    title: 'Balance too low',
    meaning: 'The partner has nothing left that could pay the invoice.',
    remedy: 'Post what came in, with its amount.',
  },
  configuration_changed: {
    status: 409,
    title: 'Configuration changed',
    meaning: 'Another operator has changed the same item since this form was opened.',
    remedy: 'Review the change again: it says what was changed meanwhile, and what would be changed now.',
  },
  simulation_running: {
    status: 409,
    title: 'Simulation under way',
    meaning: 'One simulation is run at a time, and another one is under way.',
    remedy: 'Wait for it, or cancel it.',
  },
  sign_in_delayed: {
    status: 429,
    title: 'Too many attempts',
    meaning: 'Too many attempts to sign in have failed or come too quickly; this one was not looked at.',
    remedy: 'Wait for the seconds in Retry-After, then try again.',
  },
} as const satisfies Record<string, CatalogueEntry>;
