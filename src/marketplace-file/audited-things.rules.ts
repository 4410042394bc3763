// Under which words the audit trail tells of the parts of the configuration, and how it is told on a page.
import type { JsonValue } from '../base/json.ts';
import type { AuditTarget } from '../audit/read-audit.ts';
import type { AuditedChange } from '../audit/audit-event.ts';
import type { ConfigThing } from '../marketplace/settings.ts';

// A partner changes its own account, and its endpoint is disabled by itself.
const TOPICS: Readonly<Record<ConfigThing['kind'], readonly string[]>> = {
  marketplace: ['marketplace'],
  supplier: ['supplier'],
  buyer: ['partner', 'account', 'endpoint'],
  offer: ['offer'],
};

const kindsOnWire = { marketplace: 'marketplace', supplier: 'supplier', buyer: 'partner', offer: 'offer' } as const;

export function auditedThings(things: readonly ConfigThing[]): AuditTarget[] {
  return things.flatMap(({ kind, key }) => TOPICS[kind].map((topic) => ({ target: key, topic })));
}

/** What kind of thing an action was done to. */
export function kindOfAction(action: string): ConfigThing['kind'] {
  const topic = action.split('.', 1)[0] ?? '';
  const kinds = Object.keys(TOPICS) as Array<ConfigThing['kind']>;
  return kinds.find((kind) => TOPICS[kind].includes(topic)) ?? 'marketplace';
}

export type ChangeOnWire = {
  readonly kind: (typeof kindsOnWire)[ConfigThing['kind']];
  readonly key: string;
  readonly at: string | null;
  readonly actor: { readonly type: string; readonly name: string } | null;
  readonly action: string | null;
  readonly changes: Record<string, { from: JsonValue; to: JsonValue }>;
};

/** Nulls where the trail says nothing of it. */
export function changeOnWire({ kind, key }: ConfigThing, event: Partial<AuditedChange>): ChangeOnWire {
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
