import { describe, expect, it } from 'vitest';

import { isFromHere } from './same-origin.rules.ts';

const OWN = 'https://leads.example';

describe('isFromHere', () => {
  it.each([
    // What browsers of these years say.
    ['GET', 'same-origin', undefined, true],
    ['GET', 'none', undefined, true],
    ['GET', 'same-site', undefined, false],
    ['GET', 'cross-site', undefined, false],
    ['HEAD', 'cross-site', undefined, false],
    ['POST', 'same-origin', OWN, true],
    ['POST', 'same-origin', undefined, true],
    ['DELETE', 'same-origin', undefined, true],
    ['POST', 'none', undefined, false],
    ['POST', 'same-site', 'https://shop.leads.example', false],
    ['POST', 'cross-site', 'https://evil.example', false],
    ['PATCH', 'cross-site', OWN, false],
    // Said twice, or wrongly.
    ['POST', 'same-origin, same-origin', OWN, false],
    ['POST', 'Same-Origin', OWN, false],
    ['POST', '', OWN, false],
    ['GET', '', undefined, false],
    // What older ones say.
    ['GET', undefined, undefined, true],
    ['GET', undefined, OWN, true],
    ['GET', undefined, 'https://evil.example', false],
    ['GET', undefined, 'null', false],
    ['POST', undefined, OWN, true],
    ['POST', undefined, undefined, false],
    ['POST', undefined, 'null', false],
    ['POST', undefined, 'https://evil.example', false],
    ['POST', undefined, 'http://leads.example', false],
    ['POST', undefined, 'https://leads.example:444', false],
    ['POST', undefined, 'https://leads.example.evil.example', false],
    ['DELETE', undefined, undefined, false],
  ] as const)('for %s with Sec-Fetch-Site %s and Origin %s returns %s', (method, site, origin, expected) => {
    expect(isFromHere({ method, site, origin, own: OWN })).toBe(expected);
  });
});
