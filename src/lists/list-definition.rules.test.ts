import { describe, expect, it } from 'vitest';

import { definitionFault } from './list-definition.rules.ts';
import type { ListDefinition } from './list.ts';

const known = {
  partners: new Set(['summit', 'harbor']),
  offers: new Map([
    ['west', 'summit'],
    ['east', 'harbor'],
  ]),
};
const list = (more: Partial<ListDefinition>): ListDefinition => ({
  ...{ key: 'list', name: 'List', kind: 'phone', use: 'suppress', buyerKey: null, partners: [], offers: [], ...more },
});

describe('The definition of a list', () => {
  it.each<readonly [Partial<ListDefinition>, string | null]>([
    [{}, null],
    [{ kind: 'zip' }, null],
    [{ partners: ['summit'] }, 'list_use_unfit'],
    [{ use: 'sold' }, null],
    [{ use: 'sold', kind: 'email', partners: ['summit'] }, null],
    [{ use: 'sold', kind: 'domain' }, 'list_use_unfit'],
    [{ use: 'sold', offers: ['west'] }, 'list_use_unfit'],
    [{ use: 'exclude' }, 'list_names_nobody'],
    [{ use: 'exclude', partners: ['summit'], offers: ['east'] }, null],
    [{ use: 'exclude', partners: ['nobody'] }, 'unknown_partner'],
    [{ use: 'exclude', offers: ['north'] }, 'unknown_offer'],
    [{ use: 'exclude', buyerKey: 'summit', partners: ['summit'] }, null],
    [{ use: 'exclude', buyerKey: 'summit', offers: ['west'] }, null],
    [{ use: 'exclude', buyerKey: 'summit', partners: ['harbor'] }, 'unknown_partner'],
    [{ use: 'exclude', buyerKey: 'summit', offers: ['east'] }, 'unknown_offer'],
    [{ use: 'suppress', buyerKey: 'summit' }, 'list_use_unfit'],
    [{ use: 'sold', buyerKey: 'summit' }, 'list_use_unfit'],
  ])('with %j has the fault %s', (more, expected) => {
    expect(definitionFault(list(more), known)?.code ?? null).toBe(expected);
  });
});
