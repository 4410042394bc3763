// What a warning costs in words, and the page that fixes it.
import type { HealthWarning } from '../../../src/console/health.schema.ts';

export type Help = {
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string>>;
  readonly label: string;
};

const FAILING: Help = { to: '/endpoints', search: { only: 'failing' }, label: 'View endpoints' };

const HELP: Readonly<Record<string, Help>> = {
  endpoint_failing: FAILING,
  endpoint_disabled: FAILING,
  attempts_refused: FAILING,
  dead_jobs: { to: '/jobs', label: 'View dead letters' },
  deliveries_failed: { to: '/jobs', search: { tab: 'deliveries' }, label: 'View failed deliveries' },
  prices_unread: { to: '/jobs', search: { tab: 'deliveries' }, label: 'View failed deliveries' },
  leads_unsold: { to: '/leads', search: { state: 'no_buyer' }, label: 'View leads' },
  claims_due: { to: '/claims', label: 'View claims' },
  no_leads: { to: '/suppliers', label: 'View suppliers' },
};
const LISTS: Readonly<Record<string, Help>> = {
  partner_unreachable: { to: '/partners', label: 'View partners' },
  account_left_out: { to: '/partners', label: 'View partners' },
  partner_paused_itself: { to: '/partners', label: 'View partners' },
  caps_full: { to: '/partners', label: 'View partners' },
  out_of_funds: { to: '/ledger', label: 'View accounts' },
  funds_paused: { to: '/ledger', label: 'View accounts' },
  low_funds: { to: '/ledger', label: 'View accounts' },
};

/** Kind and subject name a warning while it lasts. */
export function warningName({ kind, subject }: Pick<HealthWarning, 'kind' | 'subject'>): string {
  return `${kind} ${subject}`;
}

/** The page that fixes it, of the partner or supplier concerned if there is one. */
export function helpFor({ kind, subject, partner }: HealthWarning): Help | undefined {
  if (kind === 'supplier_silent')
    return { to: '/suppliers/$supplierKey', params: { supplierKey: subject }, label: 'Open the supplier' };
  const list = LISTS[kind];
  if (list === undefined || partner === null) return HELP[kind] ?? list;
  if (list.to === '/ledger') return { to: '/ledger', search: { partner }, label: 'View its account' };
  const search = kind === 'partner_unreachable' ? { tab: 'settings' } : { tab: 'offers' };
  const label = kind === 'partner_unreachable' ? 'Open its settings' : 'View its offers';
  return { to: '/partners/$partnerKey', params: { partnerKey: partner }, search, label };
}

/** Kinds whose text has the amount already. */
const SAID = new Set(['leads_unsold', 'claims_due', 'deliveries_failed', 'prices_unread']);

/** `About $120.00 of sales a day.`; null for what costs nothing that is known. */
export function costWords({ kind, money }: HealthWarning, format: (amount: number) => string): string | null {
  return money === null || money === 0 || SAID.has(kind) ? null : `About ${format(money)} of sales a day.`;
}
