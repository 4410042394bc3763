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
    title: 'One-time code required',
    meaning: 'The name and password are correct. A one-time code is required as well.',
    remedy: 'Sign in again with the six-digit code of your authenticator app.',
  },
  cross_origin_refused: {
    status: 403,
    title: 'Request from another site',
    meaning: 'Sessions work for the pages of this service only, and the request comes from another site.',
    remedy: 'Open the portal or the console. In programs, use the API with a credential.',
  },
  role_not_allowed: {
    status: 403,
    title: 'Not part of your role',
    meaning: 'Your role does not allow this.',
    remedy:
      'Ask an administrator, or a user of your account who may change settings, to do it or to give you another role.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    meaning: 'All operators must have a second factor, and you have none yet.',
    remedy: 'Open the console and set one up. Everything else is locked until then.',
  },
  second_factor_set: {
    status: 409,
    title: 'Second factor set up',
    meaning: 'You have a second factor already.',
    remedy: 'To replace it, ask whoever manages users to reset it.',
  },
  operator_exists: {
    status: 409,
    title: 'Operator exists',
    meaning: 'Another operator has this name or email address.',
    remedy: 'Choose another one. An operator who is disabled keeps both.',
  },
  last_admin: {
    status: 409,
    title: 'Last administrator',
    meaning: 'No administrator would be left who could undo the change.',
    remedy: 'Give another operator the role admin first.',
  },
  email_missing: {
    status: 409,
    title: 'No email address',
    meaning: 'The account has no email address to send the link to.',
    remedy: 'Enter its address first.',
  },
  email_links_unavailable: {
    status: 409,
    title: 'No public address',
    meaning: 'Links in emails begin with the public address of the service, which is not set.',
    remedy: 'An administrator enters it at the console under Notices, or as `publicUrl` in the marketplace file.',
  },
  too_many_invitations: {
    status: 409,
    title: 'Too many invitations',
    meaning: 'The account has 50 invitations that were not accepted, expired ones included.',
    remedy: 'Withdraw those that are no longer needed.',
  },
  account_exists: {
    status: 409,
    title: 'Account exists',
    meaning: 'An account with this name or email address exists already.',
    remedy: 'Sign in with it. To have two accounts, ask for an invitation to another email address.',
  },
  invitation_invalid: {
    status: 410,
    title: 'Link no longer works',
    meaning: 'The link was used, was replaced by a newer one, was withdrawn, or has expired.',
    remedy: 'Sign in if you have chosen a password already. Else ask for a new link.',
  },
  claim_closed: {
    status: 409,
    title: 'Claim closed',
    meaning: 'The claim was decided or withdrawn.',
    remedy: 'Reload the claim. A claim can be decided only once.',
  },
  claim_not_submitted: {
    status: 409,
    title: 'Claim under review',
    meaning: 'The review of this claim has begun.',
    remedy: 'Reload the claim. It can still be approved or denied.',
  },
  already_running: {
    status: 409,
    title: 'Already running',
    meaning: 'This operation is running already.',
    remedy: 'Wait until it has finished.',
  },
  month_not_over: {
    status: 409,
    title: 'Month not over',
    meaning: 'The month has not ended yet in the time zone of a partner.',
    remedy: 'Wait until it has ended for all partners, or invoice a single partner.',
  },
  view_name_taken: {
    status: 409,
    title: 'Name taken',
    meaning: 'Another view has this name already.',
    remedy: 'Choose another name, or delete the other view first.',
  },
  too_many_views: {
    status: 409,
    title: 'Too many views',
    meaning: 'The account has 200 saved views of lists.',
    remedy: 'Delete one first.',
  },
  invoice_paid: {
    status: 409,
    title: 'Invoice paid',
    meaning: 'The invoice is paid in full.',
    remedy: 'To record another payment, post an entry in the ledger.',
  },
  invoice_void: {
    status: 409,
    title: 'Invoice void',
    meaning: 'A void invoice cannot be paid.',
    remedy: 'Its entries are on the next invoice for the month.',
  },
  invoice_has_payments: {
    status: 409,
    title: 'Invoice has payments',
    meaning: 'An invoice with payments cannot be voided.',
    remedy: 'Correct it with a credit in the ledger.',
  },
  invoice_carried: {
    status: 409,
    title: 'Invoice carried over',
    meaning: 'The credits of this invoice exceeded its charges, and a later invoice has taken the rest.',
    remedy: 'Void the later invoice first, or correct the amount with an entry in the ledger.',
  },
  delivery_not_unpriced: {
    status: 409,
    title: 'Delivery not unpriced',
    meaning:
      'Only a Failed delivery can be priced by hand whose partner names prices and may have the lead, and which is not being sent again.',
    remedy: 'Read the failed deliveries again: `prices` says which ones can be priced.',
  },
  price_out_of_bounds: {
    status: 422,
    title: 'Price out of bounds',
    meaning: 'The price is lower or higher than the lead was sold for.',
    remedy: 'Set a price within the bounds in `prices`, and correct the account of the partner for the rest.',
  },
  balance_too_low: {
    status: 409,
    title: 'Balance too low',
    meaning: 'The partner’s balance cannot pay the invoice.',
    remedy: 'Record the payment that was received, with its amount.',
  },
  configuration_changed: {
    status: 409,
    title: 'Configuration changed',
    meaning: 'Another operator has changed the same item since this form was opened.',
    remedy: 'Review the change again. The review shows the changes made meanwhile and the effect of yours.',
  },
  list_key_taken: {
    status: 409,
    title: 'Key taken',
    meaning: 'There is a list with this key already.',
    remedy: 'Choose another key, or load into the list that exists.',
  },
  too_many_lists: {
    status: 409,
    title: 'Too many lists',
    meaning: 'A partner cannot have more lists.',
    remedy: 'Remove a list that is no longer needed, or load into one that exists.',
  },
  load_not_open: {
    status: 409,
    title: 'Load not open',
    meaning: 'There is no such load of this list, or it was finished or discarded.',
    remedy: 'Begin another load, and send its parts without long pauses.',
  },
  part_out_of_order: {
    status: 409,
    title: 'Part out of order',
    meaning: 'Parts are numbered from 1 and are sent one after the other, and the last number ends the load.',
    remedy: 'Send the part that `detail` names.',
  },
  list_too_large: {
    status: 409,
    title: 'List too large',
    meaning: 'The list would have more entries than a list can have.',
    remedy: 'Leave out what is no longer needed, or replace the entries instead of adding to them.',
  },
  simulation_running: {
    status: 409,
    title: 'Simulation running',
    meaning: 'Another simulation is running. Only one can run at a time.',
    remedy: 'Wait until it has finished, or cancel it.',
  },
  sign_in_delayed: {
    status: 429,
    title: 'Too many attempts',
    meaning: 'Too many sign-in attempts failed or followed too quickly. This attempt was not checked.',
    remedy: 'Wait for the seconds in Retry-After, then try again.',
  },
} as const satisfies Record<string, CatalogueEntry>;
