import { describe, expect, it } from 'vitest';

import { attachmentHeader, cleanFileName, fileTypeOf } from './claim-file.rules.ts';

const bytes = (...values: (number | string)[]): Uint8Array =>
  Buffer.concat(values.map((one) => (typeof one === 'string' ? Buffer.from(one, 'latin1') : Buffer.from([one]))));

describe('the type of a file', () => {
  it.each([
    [bytes(0x89, 'PNG\r\n', 0x1a, '\n', 'more'), 'image/png'],
    [bytes(0xff, 0xd8, 0xff, 0xe0), 'image/jpeg'],
    [bytes('%PDF-1.7'), 'application/pdf'],
    [bytes('RIFF', 1, 2, 3, 4, 'WAVEfmt '), 'audio/wav'],
    [bytes('RIFF', 1, 2, 3, 4, 'AVI '), null],
    [bytes('ID3', 4, 0), 'audio/mpeg'],
    [bytes(0xff, 0xfb, 0x90, 0x64), 'audio/mpeg'],
    [bytes(0xff, 0xf3, 0x40, 0xc0), 'audio/mpeg'],
    // AAC, which has another layer; a bad bit rate; UTF-16.
    [bytes(0xff, 0xf1, 0x50, 0x80), null],
    [bytes(0xff, 0xfb, 0xf0, 0x64), null],
    [bytes(0xff, 0xfe, 'a', 0), null],
    [bytes('call,result\r\n1,"no answer"\r\n'), 'text/plain'],
    [new TextEncoder().encode('\uFEFFÜber Ann'), 'text/plain'],
    [bytes(''), null],
    [bytes('\n<?xml version="1.0"?>'), null],
    [bytes('GIF89a', 0), null],
    [bytes(0x7f, 'ELF'), null],
  ])('is judged by the content, case %#', (content, type) => {
    expect(fileTypeOf(content)).toBe(type);
  });
});

describe('the name of a file', () => {
  it.each([
    ['scan.png', 'image/png', 'scan.png'],
    ['Photo.JPEG', 'image/jpeg', 'Photo.jpeg'],
    ['../../etc/passwd', 'text/plain', 'passwd.txt'],
    ['C:\\Users\\x\\call.csv', 'text/plain', 'call.csv'],
    ['invoice.exe', 'application/pdf', 'invoice.exe.pdf'],
    ['fdp.\u202Egnp.exe', 'image/png', 'fdp.gnp.exe.png'],
    ['a\r\nSet-Cookie: x=1.png', 'image/png', 'aSet-Cookie x=1.png'],
    ['"quoted";.pdf', 'application/pdf', 'quoted.pdf'],
    ['.htaccess', 'text/plain', 'htaccess.txt'],
    ['...', 'text/plain', 'file.txt'],
    ['', 'audio/mpeg', 'file.mp3'],
    ['\u{1F600}'.repeat(500), 'audio/wav', `${'\u{1F600}'.repeat(95)}.wav`],
  ] as const)('%j is stored as a plain name with the extension of its type', (given, type, name) => {
    expect(cleanFileName(given, type)).toBe(name);
    expect(cleanFileName(name, type)).toBe(name);
  });

  it('stands in a header in ASCII and in UTF-8', () => {
    expect(attachmentHeader("Müller's (1).png")).toBe(
      `attachment; filename="M_ller's (1).png"; filename*=UTF-8''M%C3%BCller%27s%20%281%29.png`,
    );
  });
});
