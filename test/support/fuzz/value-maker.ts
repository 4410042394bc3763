// Generates values for a JSON Schema: plausible ones, values from earlier responses, and sometimes a hostile one.
import type { Chance } from '../chance.ts';
import type { Json } from '../scope-app.ts';
import { hostileTexts, hostileValues } from './hostile.ts';

export type ValueMaker = {
  /** Of each member, how many in a hundred are hostile. */
  make(schema: Json, hostility: number, name?: string): unknown;
  text(name: string, hostility: number): string;
  /** Takes in ids, keys and cursors from an answer, to be asked for later. */
  learn(response: unknown): void;
};

/** The name of a body or query itself. */
export const WHOLE = '(whole)';
/** The newest values kept per name: enough for entries that exist and some that were removed. */
const KEPT = 12;
const LONGEST = 200;

export function createValueMaker(
  chance: Chance,
  seeds: Readonly<Record<string, readonly unknown[]>>,
  schemaOf: (id: string) => Json,
): ValueMaker {
  const known = new Map<string, unknown[]>(Object.entries(seeds).map(([name, values]) => [name, [...values]]));
  const isHit = (hundredth: number): boolean => chance.below(100) < hundredth;

  function remember(name: string, value: unknown): void {
    const values = known.get(name) ?? [];
    if (values.includes(value)) return;
    values.push(value);
    if (values.length > KEPT) values.splice(chance.below(KEPT), 1);
    known.set(name, values);
  }

  function learn(value: unknown, name = ''): void {
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 5) as unknown[]) learn(item, name);
    } else if (value !== null && typeof value === 'object') {
      for (const [member, inner] of Object.entries(value)) learn(inner, member);
    } else if (name !== '' && (typeof value === 'string' ? value.length <= LONGEST : typeof value === 'number')) {
      remember(name, value);
    }
  }

  function text(name: string, hostility: number): string {
    if (isHit(hostility)) return chance.pick(hostileTexts) ?? '';
    const own = known.get(name) ?? known.get('text') ?? [];
    // Sometimes a value of another name: an id of another kind, a key instead of an id.
    const other = isHit(15) ? [...known.values()].flat() : own;
    return String(chance.pick(other.length === 0 ? ['x'] : other));
  }

  function ofText(schema: Json, name: string): unknown {
    const options = known.get(name);
    if (options !== undefined && !isHit(20)) return chance.pick(options);
    if (schema.format === 'date') return chance.pick(['2026-11-01', '2026-11-20', '2025-12-31']);
    if (schema.format === 'date-time') return chance.pick(['2026-11-19T00:00:00Z', '2027-01-01T00:00:00+02:00']);
    return text(name, 0);
  }

  function ofNumber({ minimum = 0, maximum = minimum + 50, type }: Json): number {
    const edge = chance.pick([minimum, maximum, minimum + 1]);
    if (isHit(30)) return edge;
    const inside = minimum + chance.below(Math.max(1, Math.min(1000, maximum - minimum)));
    return type === 'number' ? inside + 0.25 : Math.floor(inside);
  }

  function ofObject(schema: Json, hostility: number): object {
    const made: Record<string, unknown> = {};
    const required = new Set<string>(schema.required ?? []);
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      if (isHit(required.has(name) ? 97 : 50)) made[name] = make(member, hostility, name);
    }
    const further = schema.additionalProperties ?? schema.patternProperties?.['^.*$'];
    if (further !== undefined && further !== false && isHit(60)) made[text('name', hostility)] = make({}, hostility);
    return made;
  }

  function make(schema: Json, hostility: number, name = ''): unknown {
    // The whole has its type; its members may be wrong.
    if (name !== WHOLE && isHit(hostility)) return chance.pick(hostileValues);
    if (typeof schema.$ref === 'string') return make(schemaOf(schema.$ref), hostility, name);
    if (schema.const !== undefined) return schema.const;
    if (Array.isArray(schema.enum)) return chance.pick(schema.enum as unknown[]);
    const union: Json = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(union)) return make(chance.pick(union), hostility, name);
    if (Array.isArray(schema.allOf)) {
      return Object.assign({}, ...(schema.allOf as Json[]).map((part) => make(part, hostility, name)));
    }
    const type = Array.isArray(schema.type) ? chance.pick(schema.type as string[]) : (schema.type as unknown);
    if (type === 'object') return ofObject(schema, hostility);
    if (type === 'array') {
      const length = chance.below(4);
      return Array.from({ length }, () => make(schema.items ?? {}, hostility, name));
    }
    if (type === 'string') return ofText(schema, name);
    if (type === 'integer' || type === 'number') return ofNumber(schema);
    if (type === 'boolean') return isHit(50);
    if (type === 'null') return null;
    return chance.pick(known.get(name) ?? hostileValues);
  }

  return { make, text, learn: (response) => learn(response) };
}
