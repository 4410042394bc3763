import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { isPersonInText } from './person-in-text.rules.ts';

const ann = { email: { mailbox: 'ann.lee@example.com', isWhole: true }, nationalDigits: null };
const beginning = (mailbox: string) => ({ email: { mailbox, isWhole: false }, nationalDigits: null });
const number = { email: null, nationalDigits: '5552000001' };

describe('An e-mail address is found in a text', () => {
  test.each<{ says: string; text: string; is: boolean }>([
    { says: 'in another spelling and with a tag', text: '{"note":"mail ANN.Lee+debt@Example.COM today"}', is: true },
    { says: 'at the end of a sentence', text: 'It is ann.lee@example.com.', is: true },
    { says: 'as the whole text', text: 'ann.lee@example.com', is: true },
    { says: 'behind an escaped line break', text: String.raw`{"note":"mail\nann.lee@example.com"}`, is: true },
    { says: 'in escaped angle brackets', text: String.raw`{"to":"Ann \u003cann.lee@example.com\u003e"}`, is: true },
    { says: 'not within a longer name', text: 'joann.lee@example.com', is: false },
    { says: 'not within a longer domain', text: 'ann.lee@example.com.au ann.lee@example.community', is: false },
    { says: 'not with another name before the tag', text: 'bob+ann.lee@example.com', is: false },
    { says: 'not without its domain', text: 'ann.lee@', is: false },
    { says: 'between quotes of a book', text: '“ann.lee@example.com”', is: true },
    { says: 'not behind a letter of another alphabet', text: 'éann.lee@example.com', is: false },
    { says: 'behind addresses that are none', text: 'ann.lee@@ann.lee@x@ann.lee@example.com', is: true },
  ])('$says', ({ text, is }) => {
    expect(isPersonInText(text, ann)).toBe(is);
  });

  test.each<{ mailbox: string; text: string; is: boolean }>([
    { mailbox: 'ann.lee@exa', text: 'ann.lee+a@example.com', is: true },
    { mailbox: 'ann.lee@', text: 'ann.lee@example.com', is: true },
    { mailbox: 'ann.lee@', text: 'ann.lee@ ', is: false },
    { mailbox: '@example.com', text: 'ann.lee@example.com', is: false },
    { mailbox: 'ánn@büch', text: 'ÁNN+x@bücher.example', is: true },
    { mailbox: '+ann@exa', text: '+ann@example.com', is: true },
    { mailbox: '+ann@exa', text: '+ann+b@example.com', is: false },
  ])('by its beginning $mailbox in $text: $is', ({ mailbox, text, is }) => {
    expect(isPersonInText(text, beginning(mailbox))).toBe(is);
  });

  test('wherever it stands among other characters', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', '@', '+', '.', ' ', '"', '\\', 'é', '1'), maxLength: 40 });
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        expect(isPersonInText(`${before} ann.lee@example.com ${after}`, ann)).toBe(true);
      }),
    );
  });
});

describe('A phone number is found in a text', () => {
  test.each<{ text: string; is: boolean }>([
    { text: '{"phone":"(555) 200-0001"}', is: true },
    { text: '+1 555.200.0001', is: true },
    { text: '{"phone":"555200000"}', is: false },
  ])('$text: $is', ({ text, is }) => {
    expect(isPersonInText(text, number)).toBe(is);
  });
});

describe('Two hundred bodies of the largest size are read in a moment', () => {
  const SIZE = 64 * 1024;
  const pieces = ['a', '@', 'a@', '+1 ', '1', 'ann.lee+', 'ann.lee@', '@example.com ', 'é@', String.raw`\u0041@1`];

  test.each([...pieces.map((piece) => [piece]), pieces])('of %j', (...some: string[]) => {
    const bodies = Array.from({ length: 200 }, (_, index) => {
      const piece = some[index % some.length] ?? '';
      // Through a buffer, so that it is one text and not a tree of pieces.
      return Buffer.from(piece.repeat(SIZE / piece.length)).toString();
    });
    const before = process.cpuUsage();
    const wanted = { email: ann.email, nationalDigits: '5552000002' };
    expect(bodies.filter((body) => isPersonInText(body, wanted))).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    // Less than 100 ms; a pattern that begins anew at each letter takes 20 minutes.
    expect((user + system) / 1000).toBeLessThan(3000);
  });
});
