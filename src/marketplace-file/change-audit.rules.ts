// Tells the audit trail of each change that a file made, and a partner only of what is his to know (contract 6.15).
import type { JsonValue } from '../base/json.ts';
import type { AuditActor, AuditChanges, AuditEvent, AuditOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import type { MemberSchema } from '../marketplace/configured-form.rules.ts';
import { OfferSchema } from '../routing/offer.schema.ts';
import type { Change } from './difference.rules.ts';

const pastOf = { create: 'created', update: 'updated', close: 'closed' } as const;

const OPERATOR_ONLY: ReadonlySet<string> = new Set(operatorOnly(OfferSchema));

export type ChangeSource = {
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  readonly at: Date;
  /** The partner of each offer. */
  readonly buyerOfOffer: ReadonlyMap<string, string>;
};

/** One event per change, and a second one for the operator where a change of an offer has parts that its partner must not see. */
export function auditEventsOf(
  changes: readonly Change[],
  { actor, origin, at, buyerOfOffer }: ChangeSource,
): AuditEvent[] {
  return changes.flatMap((change): AuditEvent[] => {
    const { kind, key, action } = change;
    const buyerKey = kind === 'partner' ? key : kind === 'offer' ? (buyerOfOffer.get(key) ?? null) : null;
    const supplierKey = kind === 'supplier' ? key : null;
    const event = { at, actor, buyerKey, supplierKey, action: `${kind}.${pastOf[action]}`, target: key, ...origin };
    const all = masked(change.fields) as AuditChanges;
    if (kind !== 'offer') return [{ ...event, changes: all }];
    const { visible, hidden } = partsOf(all);
    const isWhollyHidden = Object.keys(visible).length === 0;
    return [
      ...(isWhollyHidden ? [] : [{ ...event, changes: visible }]),
      ...(Object.keys(hidden).length === 0 ? [] : [{ ...event, buyerKey: null, changes: hidden }]),
    ];
  });
}

/** As the names of changes: `filters.suppliers`. */
function operatorOnly({ properties = {} }: MemberSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    member.operatorOnly === true ? [prefix + name] : operatorOnly(member, `${prefix}${name}.`),
  );
}

/** A new offer names its filters as one member, a changed one each by itself. */
function partsOf(changes: AuditChanges): { visible: AuditChanges; hidden: AuditChanges } {
  const visible: Record<string, AuditChanges[string]> = {};
  const hidden: Record<string, AuditChanges[string]> = {};
  for (const [name, change] of Object.entries(changes)) {
    if (name !== 'filters') (OPERATOR_ONLY.has(name) ? hidden : visible)[name] = change;
    else {
      const filters = (change.to ?? {}) as Readonly<Record<string, JsonValue>>;
      for (const [filter, to] of Object.entries(filters)) {
        const path = `filters.${filter}`;
        (OPERATOR_ONLY.has(path) ? hidden : visible)[path] = { from: null, to };
      }
    }
  }
  return { visible, hidden };
}

/** Operators paste what they have: a name or a URL may hold a secret of ours. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [maskSecrets(name), masked(member)]));
}
