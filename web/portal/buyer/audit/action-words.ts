// Labels of the actions in the partner's audit log.

const WORDS: Readonly<Record<string, string>> = {
  'account.updated': 'Settings changed',
  'partner.created': 'Account opened',
  'partner.updated': 'Account changed',
  'partner.closed': 'Account closed',
  'partner.status_set': 'Status of the account changed',
  'receiving.paused': 'Paused: no new leads',
  'receiving.resumed': 'Receives leads again',
  'offer.created': 'Offer created',
  'offer.updated': 'Offer changed',
  'offer.limits_changed': 'Own limits of an offer changed',
  'offer.closed': 'Offer closed',
  'offer.paused_for_rejections': 'Offer paused because many leads were rejected',
  'offer.rejections_pause_lifted': 'Pause of an offer lifted',
  'offer.resumed': 'Offer takes leads again',
  'token.issued': 'Access token issued',
  'token.revoked': 'Access token revoked',
  'secret.rotated': 'Signing secret rotated',
  'secret.shown': 'Signing secret shown',
  'session.opened': 'Signed in',
  'session.ended': 'Signed out',
  'session.refused': 'Sign-in failed',
  'endpoint.disabled': 'Endpoint disabled',
  'endpoint.enabled': 'Endpoint enabled',
  'delivery.redelivery_requested': 'Delivery sent again',
  'delivery.erased': 'Personal data of a lead erased',
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
  'payment.posted': 'Payment posted',
  'credit.posted': 'Credit posted',
  'adjustment.posted': 'Adjustment posted',
};

/** Falls back to the action's name, such as `thing.done`. */
export function actionWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, ' ');
}
