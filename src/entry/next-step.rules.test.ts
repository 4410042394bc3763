import { describe, expect, it } from 'vitest';

import { chooseNextStep, type SetUp } from './next-step.rules.ts';

const whole: SetUp = {
  hasDemo: false,
  mayHaveDemo: false,
  hasAccounts: true,
  hasKey: true,
  hasOperator: true,
  hasLead: true,
  origin: 'http://127.0.0.1:3000',
};

describe('chooseNextStep', () => {
  it.each<[string, Partial<SetUp>, string]>([
    [
      'nothing where a demo may be',
      { mayHaveDemo: true, hasAccounts: false },
      '"leadmarket serve" starts with an example',
    ],
    ['nothing elsewhere', { hasAccounts: false }, 'describe suppliers'],
    ['an empty marketplace', { hasAccounts: false, hasKey: false, hasOperator: false, hasLead: false }, 'apply FILE'],
    ['accounts alone', { hasKey: false, hasOperator: false, hasLead: false }, 'operator add NAME'],
    ['an operator', { hasKey: false, hasLead: false }, 'key issue --supplier KEY'],
    ['a key', { hasLead: false }, 'http://127.0.0.1:3000/api/v1/ingest'],
    ['leads', {}, 'lead trace ID'],
    ['a demo without leads', { hasDemo: true, hasLead: false }, 'first lead'],
    ['a demo with leads', { hasDemo: true }, 'demo end'],
  ])('after %s', (_case, change, said) => {
    expect(chooseNextStep({ ...whole, ...change })).toContain(said);
  });
});
