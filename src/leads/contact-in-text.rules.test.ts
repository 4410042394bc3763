import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsContact } from './contact-in-text.rules.ts';

const ann = { email: { mailbox: 'ann.lee@example.com', isWhole: true }, nationalDigits: null };
const beginning = (mailbox: string) => ({ email: { mailbox, isWhole: false }, nationalDigits: null });
const number = { email: null, nationalDigits: '5552000001' };

describe('containsContact with an email address', () => {
  it.each<{ says: string; text: string; is: boolean }>([
    {
      says: 'finds it in another spelling and with a tag',
      text: '{"note":"mail ANN.Lee+debt@Example.COM today"}',
      is: true,
    },
    { says: 'finds it at the end of a sentence', text: 'It is ann.lee@example.com.', is: true },
    { says: 'finds it as the whole text', text: 'ann.lee@example.com', is: true },
    { says: 'finds it after an escaped line break', text: String.raw`{"note":"mail\nann.lee@example.com"}`, is: true },
    {
      says: 'finds it in escaped angle brackets',
      text: String.raw`{"to":"Ann \u003cann.lee@example.com\u003e"}`,
      is: true,
    },
    { says: 'does not find it within a longer name', text: 'joann.lee@example.com', is: false },
    {
      says: 'does not find it within a longer domain',
      text: 'ann.lee@example.com.au ann.lee@example.community',
      is: false,
    },
    { says: 'does not find it with another name before the tag', text: 'bob+ann.lee@example.com', is: false },
    { says: 'does not find it without its domain', text: 'ann.lee@', is: false },
    { says: 'finds it between typographic quotes', text: '“ann.lee@example.com”', is: true },
    { says: 'does not find it after a letter of another alphabet', text: 'éann.lee@example.com', is: false },
    { says: 'finds it after invalid addresses', text: 'ann.lee@@ann.lee@x@ann.lee@example.com', is: true },
  ])('$says', ({ text, is }) => {
    expect(containsContact(text, ann)).toBe(is);
  });

  it.each<{ mailbox: string; text: string; is: boolean }>([
    { mailbox: 'ann.lee@exa', text: 'ann.lee+a@example.com', is: true },
    { mailbox: 'ann.lee@', text: 'ann.lee@example.com', is: true },
    { mailbox: 'ann.lee@', text: 'ann.lee@ ', is: false },
    { mailbox: '@example.com', text: 'ann.lee@example.com', is: false },
    { mailbox: 'ánn@büch', text: 'ÁNN+x@bücher.example', is: true },
    { mailbox: '+ann@exa', text: '+ann@example.com', is: true },
    { mailbox: '+ann@exa', text: '+ann+b@example.com', is: false },
  ])('returns $is for the beginning $mailbox in $text', ({ mailbox, text, is }) => {
    expect(containsContact(text, beginning(mailbox))).toBe(is);
  });

  it('finds it among any other characters', () => {
    const noise = fc.string({ unit: fc.constantFrom('a', '@', '+', '.', ' ', '"', '\\', 'é', '1'), maxLength: 40 });
    fc.assert(
      fc.property(noise, noise, (before, after) => {
        expect(containsContact(`${before} ann.lee@example.com ${after}`, ann)).toBe(true);
      }),
    );
  });
});

describe('containsContact with a phone number', () => {
  it.each<{ text: string; is: boolean }>([
    { text: '{"phone":"(555) 200-0001"}', is: true },
    { text: '+1 555.200.0001', is: true },
    { text: '{"phone":"555200000"}', is: false },
  ])('returns $is for $text', ({ text, is }) => {
    expect(containsContact(text, number)).toBe(is);
  });
});

describe('containsContact with 200 bodies of the maximum size', () => {
  const SIZE = 64 * 1024;
  const pieces = ['a', '@', 'a@', '+1 ', '1', 'ann.lee+', 'ann.lee@', '@example.com ', 'é@', String.raw`\u0041@1`];

  it.each([...pieces.map((piece) => [piece]), pieces])(
    'takes less than three seconds of CPU for bodies of %j',
    (...some: string[]) => {
      const bodies = Array.from({ length: 200 }, (_, index) => {
        const piece = some[index % some.length] ?? '';
        // Via a buffer: one flat string instead of a rope.
        return Buffer.from(piece.repeat(SIZE / piece.length)).toString();
      });
      const before = process.cpuUsage();
      const wanted = { email: ann.email, nationalDigits: '5552000002' };
      expect(bodies.filter((body) => containsContact(body, wanted))).toEqual([]);
      const { user, system } = process.cpuUsage(before);
      // Takes less than 100 ms; a backtracking pattern takes 20 minutes.
      expect((user + system) / 1000).toBeLessThan(3000);
    },
  );
});
