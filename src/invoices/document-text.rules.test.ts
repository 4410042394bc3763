import { describe, expect, it } from 'vitest';

import { plain } from './document-text.rules.ts';

describe('plain', () => {
  it.each([
    ['Summit Debt Relief', 'Summit Debt Relief'],
    // Written with a combining mark.
    ['Zoe\u0308', 'Zoë'],
    ['a\r\nb\tc\u2028d', 'a b c d'],
    ['a\u0000b\u001bc', 'a\ufffdb\ufffdc'],
    ['\u202eevil\u202c \u200fשלום\u200e \u2067x\u2069', 'evil שלום x'],
    // Joiners change letters.
    ['می\u200cخواهم ශ\u0dca\u200dර', 'می\u200cخواهم ශ\u0dca\u200dර'],
    ['\ud800', '\ufffd'],
    ['', ''],
  ])('turns %j into %j', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});
