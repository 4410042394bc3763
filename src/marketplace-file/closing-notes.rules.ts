// Says what stops when a vertical that is in use is closed (contract 14.1).
import type { Vertical } from '../marketplace/verticals.ts';
import type { Configuration, Writes } from './difference.rules.ts';

/** More would hide what else the notes say. */
const NAMED_MAX = 10;

export function closingNotes(
  writes: Pick<Writes, 'verticals' | 'suppliers' | 'offers'>,
  current: Pick<Configuration, 'verticals' | 'suppliers' | 'offers'>,
): string[] {
  const closed = writes.verticals.filter(
    ({ key, status }) => status === 'closed' && current.verticals.get(key)?.status === 'active',
  );
  if (closed.length === 0) return [];
  const suppliers = new Map(current.suppliers);
  for (const supplier of writes.suppliers) suppliers.set(supplier.supplierKey, supplier);
  const offers = new Map(current.offers);
  for (const offer of writes.offers) offers.set(offer.offerKey, offer);
  return closed.flatMap(({ key }) => closingNote(key, { suppliers, offers }));
}

function closingNote(
  key: Vertical['key'],
  { suppliers, offers }: Pick<Configuration, 'suppliers' | 'offers'>,
): string[] {
  const posting = [...suppliers.values()].filter(({ status }) => status !== 'suspended');
  const byDefault = posting.filter(({ vertical }) => vertical === key).map(({ supplierKey }) => supplierKey);
  const byName = posting
    .filter(({ vertical, verticals }) => vertical !== key && verticals.includes(key))
    .map(({ supplierKey }) => supplierKey);
  const buying = [...offers.values()]
    .filter(({ status, vertical }) => status !== 'closed' && vertical === key)
    .map(({ offerKey }) => offerKey);
  const stops = [
    ...(byDefault.length === 0 ? [] : [`leads of ${listed(byDefault)} that name no vertical are rejected`]),
    ...(byName.length === 0 ? [] : [`leads of ${listed(byName)} that name it are rejected`]),
    ...(buying.length === 0
      ? []
      : [`no new leads for the ${buying.length === 1 ? 'offer' : 'offers'} ${listed(buying)}`]),
  ];
  return stops.length === 0 ? [] : [`vertical ${key}: it is in use; once it is closed, ${stops.join('; ')}`];
}

function listed(keys: readonly string[]): string {
  const more = keys.length - NAMED_MAX;
  return more <= 0 ? keys.join(', ') : `${keys.slice(0, NAMED_MAX).join(', ')} and ${more} more`;
}
