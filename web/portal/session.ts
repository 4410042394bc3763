// Who uses the portal: a partner (buyer) or a supplier.
import { createContext, useContext } from 'react';

/** Members of one kind are missing with the other. */
export type PortalSession = {
  readonly kind: 'buyer' | 'supplier';
  /** The partner's or supplier's key. */
  readonly ownerKey: string;
  readonly name: string;
  readonly status: string;
  /** IANA name; partners only. */
  readonly timeZone?: string;
  readonly currency: string;
  /** timeline, delivery-logs, test-delivery, audit-log: those that are enabled; partners only. */
  readonly betaTools?: readonly string[];
};

export const SessionContext = createContext<PortalSession | null>(null);

export function usePortalSession(): PortalSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
