// Labels and links of audit events. Pure.

/** `return.under_review` → Return under review */
export function actionWords(action: string): string {
  const words = action.replaceAll(/[._]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The page of an event's target; null if it has none. */
export function targetPage(
  target: string,
): { readonly to: string; readonly params?: Record<string, string>; readonly search?: Record<string, string> } | null {
  if (/^(?:ret|dsp)_/.test(target)) return { to: '/claims/$claimId', params: { claimId: target } };
  if (target.startsWith('lead_')) return { to: '/leads/$leadId', params: { leadId: target } };
  if (target.startsWith('dlv_')) return { to: '/leads', search: { search: target } };
  if (target.startsWith('inv_')) return { to: '/invoices', search: { invoice: target } };
  return null;
}
