// The actions of the audit log in words.

const WORDS: Readonly<Record<string, string>> = {
  'account.updated': 'Settings changed',
  'partner.created': 'Account opened',
  'partner.updated': 'Account changed',
  'partner.closed': 'Account closed',
  'partner.status_set': 'Status of the account changed',
  'offer.created': 'Offer made',
  'offer.updated': 'Offer changed',
  'offer.closed': 'Offer closed',
  'token.issued': 'Access token issued',
  'token.revoked': 'Access token revoked',
  'secret.rotated': 'Signing secret replaced',
  'secret.shown': 'Signing secret looked at',
  'session.opened': 'Signed in',
  'session.ended': 'Signed out',
  'session.refused': 'Sign-in refused',
  'endpoint.disabled': 'Endpoint taken out of use',
  'endpoint.enabled': 'Endpoint taken back into use',
  'delivery.redelivery_requested': 'Delivery sent again',
  'delivery.erased': 'Person of a lead erased',
  'return.filed': 'Return filed',
  'return.withdrawn': 'Return withdrawn',
  'return.approved': 'Return approved',
  'return.denied': 'Return denied',
  'dispute.filed': 'Dispute filed',
  'dispute.withdrawn': 'Dispute withdrawn',
  'dispute.approved': 'Dispute approved',
  'dispute.denied': 'Dispute denied',
  'invoice.issued': 'Invoice issued',
  'invoice.paid': 'Invoice paid',
  'invoice.overdue': 'Invoice overdue',
  'invoice.voided': 'Invoice voided',
  'payment.posted': 'Payment booked',
  'credit.posted': 'Credit booked',
  'adjustment.posted': 'Adjustment booked',
};

/** An action that is not known here is told by its name, which says enough: `thing.done`. */
export function actionWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, ' ');
}
