// Builds the audit events of configuration changes, hiding operator-only parts from partners, and their form on the wire (contract 6.15).
import type { JsonValue } from '../base/json.ts';
import type { AuditActor, AuditChanges, AuditEvent, AuditOrigin, AuditedChange } from '../audit/audit-event.ts';
import type { AuditTarget } from '../audit/read-audit.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import type { MemberSchema } from '../marketplace/configured-form.rules.ts';
import type { ConfigKey } from '../marketplace/settings.ts';
import { OfferSchema } from '../routing/offer.schema.ts';
import type { Change } from './difference.rules.ts';

const pastTense = { create: 'created', update: 'updated', close: 'closed' } as const;

const OPERATOR_ONLY: ReadonlySet<string> = new Set(operatorOnly(OfferSchema));

export type ChangeSource = {
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  readonly at: Date;
  /** The partner of each offer. */
  readonly buyerOfOffer: ReadonlyMap<string, string>;
};

/** One event per change, and for an offer a second one, for the operator only, with the parts that its partner must not see. */
export function buildAuditEvents(
  changes: readonly Change[],
  { actor, origin, at, buyerOfOffer }: ChangeSource,
): AuditEvent[] {
  return changes.flatMap((change): AuditEvent[] => {
    const { kind, key, action } = change;
    const buyerKey = kind === 'partner' ? key : kind === 'offer' ? (buyerOfOffer.get(key) ?? null) : null;
    const supplierKey = kind === 'supplier' ? key : null;
    const event = { at, actor, buyerKey, supplierKey, action: `${kind}.${pastTense[action]}`, target: key, ...origin };
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

/** The names of operator-only members as in changes: `filters.suppliers`. */
function operatorOnly({ properties = {} }: MemberSchema, prefix = ''): string[] {
  return Object.entries(properties).flatMap(([name, member]) =>
    member.operatorOnly === true ? [prefix + name] : operatorOnly(member, `${prefix}${name}.`),
  );
}

/** A new offer has its filters as one member, a changed offer has one member per filter. */
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

/** Masks our secrets, which an operator may have pasted into a name or a URL. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [maskSecrets(name), masked(member)]));
}

// Partners have three: their own changes of the account and the disabling of endpoints are separate topics.
const TOPICS: Readonly<Record<ConfigKey['kind'], readonly string[]>> = {
  marketplace: ['marketplace'],
  vertical: ['vertical'],
  supplier: ['supplier'],
  buyer: ['partner', 'account', 'endpoint'],
  offer: ['offer'],
};

const kindsOnWire = {
  marketplace: 'marketplace',
  vertical: 'vertical',
  supplier: 'supplier',
  buyer: 'partner',
  offer: 'offer',
} as const;

export function auditTargets(things: readonly ConfigKey[]): AuditTarget[] {
  return things.flatMap(({ kind, key }) => TOPICS[kind].map((topic) => ({ target: key, topic })));
}

/** The kind of thing that an action concerns. */
export function configKindOf(action: string): ConfigKey['kind'] {
  const topic = action.split('.', 1)[0] ?? '';
  const kinds = Object.keys(TOPICS) as Array<ConfigKey['kind']>;
  return kinds.find((kind) => TOPICS[kind].includes(topic)) ?? 'marketplace';
}

export type ChangeView = {
  readonly kind: (typeof kindsOnWire)[ConfigKey['kind']];
  readonly key: string;
  readonly at: string | null;
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly action: string | null;
  readonly changes: Record<string, { from: JsonValue; to: JsonValue }>;
};

/** Null members where there is no audit event. */
export function changeView({ kind, key }: ConfigKey, event: Partial<AuditedChange>): ChangeView {
  const { at, actor, action = null, changes = {} } = event;
  return {
    kind: kindsOnWire[kind],
    key,
    at: at?.toISOString() ?? null,
    actor: actor ?? null,
    action,
    changes: Object.fromEntries(Object.entries(changes).map(([name, { from, to }]) => [name, { from, to }])),
  };
}
