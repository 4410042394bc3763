// Reads the scenarios of test/routing/scenarios, and reports errors in words (the README there describes the format).
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { parse } from 'yaml';

export type Scenario = {
  readonly name: string;
  readonly now: Date;
  /** The three sections of a marketplace file, as data. */
  readonly file: { readonly marketplace?: unknown; readonly suppliers: unknown; readonly partners: unknown };
  readonly history: readonly ScenarioEvent[];
  readonly steps: readonly Step[];
};

export type Step =
  | { readonly kind: 'lead'; readonly at: Date; readonly lead: ScenarioLead; readonly expected: readonly Expectation[] }
  | { readonly kind: 'event'; readonly at: Date; readonly happens: ScenarioEvent };

/** A lead as posted; members that a scenario leaves out are the same in all of them. */
export type ScenarioLead = {
  readonly supplier: string;
  readonly score: number | null;
  readonly body: Readonly<Record<string, unknown>>;
};

/** One decision on a lead; a held or failed lead has several. */
export type Expectation = (
  | { readonly soldTo: readonly string[]; /** Of the booking among them. */ readonly appointment?: string }
  | { readonly heldUntil: string }
  | { readonly rejected: string }
) & { readonly why: Readonly<Record<string, Reason>> };

export type Reason = { readonly code: string; readonly got?: unknown; readonly want?: unknown };

export type ScenarioEvent =
  | { readonly sold: { person: string; to: string; exclusive: boolean; daysAgo: number } }
  | { readonly used: { offer: string; window: 'daily' | 'weekly' | 'monthly'; sales: number; amount?: number } }
  | { readonly paid: { partner: string; amount: number } }
  | { readonly endpointGone: string }
  | { readonly failed: { lead: number; offer?: string; certainlyNotReceived: boolean } }
  | { readonly status: { partner: string; is: 'active' | 'paused' | 'suspended' } }
  | { readonly apply: { readonly marketplace?: unknown; readonly partners?: unknown } };

type Members = Record<string, unknown>;

const EVENT_KINDS = ['sold', 'used', 'paid', 'endpointGone', 'failed', 'status', 'apply'];
const LEAD = [
  'person',
  'phone',
  'email',
  'state',
  'debt',
  'score',
  'supplier',
  'source',
  'consent',
  'test',
  'requestedTime',
];

/** By file name without its ending; files and scenarios in order. */
export function readScenarios(folder: string): Array<{ readonly topic: string; readonly scenarios: Scenario[] }> {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => {
      const list = parse(readFileSync(join(folder, name), 'utf8')) as unknown[];
      return { topic: basename(name, '.yaml'), scenarios: list.map((entry) => readScenario(entry, name)) };
    });
}

function readScenario(entry: unknown, fileName: string): Scenario {
  const members = entry as Members;
  const name = String(members['name']);
  const where = `${fileName}, "${name}"`;
  allow(members, ['name', 'now', 'marketplace', 'suppliers', 'partners', 'history', 'leads'], where);
  const now = instant(members['now'], where);
  const { marketplace } = members;
  return {
    name,
    now,
    file: {
      ...(marketplace === undefined ? {} : { marketplace }),
      suppliers: members['suppliers'] ?? [{ key: 'acme' }, { key: 'bolt' }],
      partners: withEventTypes(members['partners']),
    },
    history: ((members['history'] ?? []) as unknown[]).map((happens) => readEvent(happens, where)),
    steps: (members['leads'] as Members[]).map((step, index) => readStep(step, { now, where, index })),
  };
}

function readStep(step: Members, { now, where, index }: { now: Date; where: string; index: number }): Step {
  const at = step['at'] === undefined ? now : instant(step['at'], where);
  if ('happens' in step) {
    allow(step, ['happens', 'at'], where);
    return { kind: 'event', at, happens: readEvent(step['happens'], where) };
  }
  allow(step, [...LEAD, 'at', 'expect'], where);
  const expected = Array.isArray(step['expect']) ? (step['expect'] as Members[]) : [step['expect'] as Members];
  return {
    kind: 'lead',
    at,
    lead: readLead(step, index),
    expected: expected.map((one) => readExpectation(one, where)),
  };
}

function readLead(step: Members, index: number): ScenarioLead {
  const { person = `stranger ${index}`, supplier = 'acme', score = null } = step;
  const contact = contactOf(person as string);
  const { phone = contact.phone, email = contact.email, state = 'CA', debt = 20_000 } = step;
  return {
    supplier: supplier as string,
    score: score as number | null,
    body: {
      full_name: 'Jordan Rivera',
      phone,
      email,
      state,
      debt_amount: debt,
      source: step['source'],
      tcpa_consent: step['consent'] ?? true,
      test: step['test'] ?? false,
      appointment_at: step['requestedTime'],
    },
  };
}

/** Phone and email of the contact with this name in a scenario; both are unique. */
export function contactOf(person: string): { phone: string; email: string } {
  const digits = [...person].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 8_000_000, 7);
  return { phone: `+1555${2_000_000 + digits}`, email: `${person.replaceAll(' ', '.')}@example.com` };
}

function readExpectation(one: Members, where: string): Expectation {
  allow(one, ['soldTo', 'appointment', 'heldUntil', 'rejected', 'why'], where);
  const reasons = Object.entries((one['why'] ?? {}) as Members).map(([offer, reason]): [string, Reason] => {
    if (typeof reason === 'string') return [offer, { code: reason }];
    allow(reason as Members, ['code', 'got', 'want'], where);
    return [offer, reason as Reason];
  });
  const why = Object.fromEntries(reasons);
  if (one['soldTo'] !== undefined) {
    const soldTo = (one['soldTo'] as string[]).toSorted();
    return one['appointment'] === undefined
      ? { soldTo, why }
      : { soldTo, appointment: instant(one['appointment'], where).toISOString(), why };
  }
  if (one['heldUntil'] !== undefined) return { heldUntil: instant(one['heldUntil'], where).toISOString(), why };
  if (typeof one['rejected'] === 'string') return { rejected: one['rejected'], why };
  throw new Error(`${where}: an expectation says neither soldTo nor heldUntil nor rejected`);
}

function readEvent(value: unknown, where: string): ScenarioEvent {
  const members = value as Members;
  allow(members, EVENT_KINDS, where);
  if (Object.keys(members).length !== 1) throw new Error(`${where}: one thing happens at a time`);
  if ('apply' in members) {
    const { partners, ...rest } = members['apply'] as Members;
    return { apply: { ...rest, ...(partners === undefined ? {} : { partners: withEventTypes(partners) }) } };
  }
  return members as ScenarioEvent;
}

/** Nearly all offers buy leads, so only the others have to state their event type. */
function withEventTypes(partners: unknown): unknown {
  return (partners as Members[]).map((partner) => ({
    ...partner,
    offers: ((partner['offers'] ?? []) as Members[]).map((offer) => ({ eventType: 'Lead Sale', ...offer })),
  }));
}

function instant(value: unknown, where: string): Date {
  const at = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(at.getTime()))
    throw new Error(`${where}: ${String(value)} is no instant such as 2026-11-18T18:00:00Z`);
  return at;
}

function allow(members: Members, names: readonly string[], where: string): void {
  const unknown = Object.keys(members).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`${where}: nothing is known of ${unknown.join(', ')}; there are ${names.join(', ')}`);
}
