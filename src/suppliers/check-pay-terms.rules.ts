// Checks that the members of a supplier's terms fit its model, and that every rule can hold (contract 11.1).
import { isMembers, type Members } from '../base/json.ts';
import { eventTypes } from '../marketplace/configured.schema.ts';

/** `at` is a JSON Pointer from the terms. */
export type PayFault = { readonly at: string; readonly message: string };

/** Terms as written, defaults filled in. Members of a wrong type are skipped: the schema reports those. */
export function checkPayTerms({ model, rules, ...rate }: Members): PayFault[] {
  const list = Array.isArray(rules) ? rules.map((rule) => (isMembers(rule) ? rule : {})) : [];
  if (model === 'none') {
    const stated = ['amount', 'percent'].filter((name) => isStated(rate[name]));
    return [...stated, ...(list.length > 0 ? ['rules'] : [])].map((name) => ({
      at: `/${name}`,
      message: 'must be left out while the model is none',
    }));
  }
  if (model !== 'fixed' && model !== 'share') return [];
  return [
    ...rateFaults(rate, model, ''),
    ...list.flatMap((rule, index) => [
      ...rateFaults(rule, model, `/rules/${index}`),
      ...conditionFaults(list, index).map((message) => ({ at: `/rules/${index}/when`, message })),
    ]),
  ];
}

function isStated(member: unknown): boolean {
  return member !== undefined && member !== null;
}

function rateFaults(rate: Members, model: 'fixed' | 'share', at: string): PayFault[] {
  const [needed, foreign] = model === 'fixed' ? (['amount', 'percent'] as const) : (['percent', 'amount'] as const);
  return [
    ...(isStated(rate[needed]) ? [] : [{ at: `${at}/${needed}`, message: 'is missing' }]),
    ...(isStated(rate[foreign])
      ? [{ at: `${at}/${foreign}`, message: `must be left out: the model ${model} goes by ${needed}` }]
      : []),
  ];
}

function conditionFaults(rules: readonly Members[], index: number): string[] {
  const own = conditionsOf(rules[index]);
  if (own === null) return [];
  if (own.sets.every((set) => set === 'any') && own.minScore === 0) {
    return ['must name at least one condition; what holds for all other leads stands outside of the rules'];
  }
  const earlier = rules.slice(0, index).findIndex((rule) => {
    const other = conditionsOf(rule);
    return other !== null && covers(other, own);
  });
  return earlier === -1 ? [] : [`is never reached: rule ${earlier + 1} of this list matches all of its leads`];
}

type Conditions = { readonly sets: ReadonlyArray<'any' | readonly unknown[]>; readonly minScore: number };

function conditionsOf(rule: Members | undefined): Conditions | null {
  const when = rule?.['when'];
  if (!isMembers(when)) return null;
  const setOf = (name: string): 'any' | readonly unknown[] => {
    const set = when[name];
    const isAny = !Array.isArray(set) || set.length === 0;
    return isAny || (name === 'eventTypes' && eventTypes.every((type) => set.includes(type))) ? 'any' : set;
  };
  const minScore = when['minScore'];
  return {
    sets: ['states', 'sources', 'eventTypes'].map(setOf),
    minScore: typeof minScore === 'number' ? minScore : 0,
  };
}

function covers(wide: Conditions, narrow: Conditions): boolean {
  return (
    wide.minScore <= narrow.minScore &&
    wide.sets.every((set, index) => {
      const part = narrow.sets[index];
      return set === 'any' || (part !== undefined && part !== 'any' && part.every((value) => set.includes(value)));
    })
  );
}
