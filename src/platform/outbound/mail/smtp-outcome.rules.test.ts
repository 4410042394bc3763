import { describe, expect, it } from 'vitest';

import { outcomeOfSmtp, type SmtpFailure, takenBySmtp } from './smtp-outcome.rules.ts';

const failure = (parts: Partial<SmtpFailure>): SmtpFailure => ({
  ...{ code: 'EENVELOPE', originalCode: '', command: 'CONN', response: null, began: false },
  ...parts,
});

describe('A reply of a mail server', () => {
  it.each([
    ['RCPT TO', '450 4.2.0 Greylisted', 'later', 'The mail server did not take the recipient for now.'],
    ['RCPT TO', '550-5.1.1 No\n550 5.1.1 such user', 'refused', 'The mail server refused the recipient.'],
    ['MAIL FROM', '451 Later', 'later', 'The mail server did not take the sender for now.'],
    ['MAIL FROM', '553 Not yours', 'refused', 'The mail server refused the sender.'],
    ['MAIL FROM', '503 Bad sequence', 'later', 'The mail server did not take the sender for now.'],
    ['DATA', '554 Spam', 'refused', 'The mail server refused the message.'],
    ['DATA', '452 Full', 'later', 'The mail server did not take the message for now.'],
    ['AUTH PLAIN', '535 Wrong', 'later', 'The mail server did not accept the login of this service.'],
    ['AUTH LOGIN', '454 Later', 'later', 'The mail server did not accept the login of this service.'],
    ['EHLO', '550 Go away', 'later', 'The mail server takes no mail at the moment.'],
    ['CONN', '554 Closed', 'later', 'The mail server takes no mail at the moment.'],
  ])('to %s, %j, results in %s', (command, response, why, error) => {
    for (const began of [false, true]) {
      expect(outcomeOfSmtp(failure({ command, response, began }), 12)).toEqual({
        kind: 'not_taken',
        why,
        receipt: 'no',
        retryAfterSeconds: 0,
        responseCode: Number(response.slice(0, 3)),
        responseSnippet: response,
        latencyMs: 12,
        error,
      });
    }
  });

  it.each([
    [false, 'no'],
    [true, 'unknown'],
  ])(
    'that is neither positive nor negative leaves receipt unknown once the message was begun: %s',
    (began, receipt) => {
      const outcome = outcomeOfSmtp(failure({ code: 'EMESSAGE', command: 'DATA', response: '354 Go on', began }), 0);
      expect(outcome).toMatchObject({ why: 'later', receipt, responseCode: 354 });
      expect(outcomeOfSmtp(failure({ response: 'What?', began }), 0)).toMatchObject({ receipt, responseCode: null });
    },
  );
});

describe('A failure without a reply', () => {
  it.each<[Partial<SmtpFailure>, string]>([
    [{ code: 'ESOCKET', originalCode: 'ECONNREFUSED' }, 'The mail server refused the connection.'],
    [{ code: 'ESOCKET', originalCode: 'EHOSTUNREACH' }, 'The mail server could not be reached.'],
    [{ code: 'ECONNECTION' }, 'The mail server could not be reached.'],
    [{ code: 'EDNS', originalCode: 'ENOTFOUND' }, 'The name of the mail server could not be resolved.'],
    [{ code: 'ETIMEDOUT' }, 'The mail server did not answer in time.'],
    [{ code: 'EABORT' }, 'The mail server did not answer in time.'],
    [{ code: 'EAUTH' }, 'The mail server did not accept the login of this service.'],
    ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(
      (originalCode): [Partial<SmtpFailure>, string] => [
        { code: 'ESOCKET', originalCode },
        'The connection to the mail server could not be secured: its certificate or TLS was not accepted.',
      ],
    ),
  ])('%j is retried', (parts, error) => {
    expect(outcomeOfSmtp(failure(parts), 0)).toMatchObject({ why: 'later', receipt: 'no', responseCode: null, error });
    // With TLS and names there is nothing to be begun; the rule holds all the same.
    expect(outcomeOfSmtp(failure({ ...parts, began: true }), 0)).toMatchObject({ why: 'later', receipt: 'unknown' });
  });

  it.each([
    [{ code: 'EENVELOPE', command: 'API' }, 'The address is not one that mail can be sent to.'],
    [{ code: 'EMESSAGE', command: 'MAIL FROM' }, 'The message is larger than the mail server takes.'],
  ])('%j is a rejection', (parts, error) => {
    expect(outcomeOfSmtp(failure(parts), 0)).toMatchObject({ why: 'refused', receipt: 'no', error });
  });
});

describe('The stored part of a reply', () => {
  const snippetOf = (response: string): string | null => {
    const outcome = outcomeOfSmtp(failure({ command: 'RCPT TO', response }), 0);
    return outcome.kind === 'deferred' ? null : outcome.responseSnippet;
  };

  it.each([
    ['550 <jordan.rivera@example.com>: unknown', '550 <…>: unknown'],
    ['550 rfc822;jordan@example.com, bob+x@b.example.', '550 rfc822;…, …'],
    ['550 "jordan rivera"@example.com unknown', '550 … unknown'],
    ['550 user=jordan@example.com\u0000\u001b[2J', '550 …[2J'],
    ['550 jordan@[203.0.113.7] refused', '550 … refused'],
    ['550 See https://help.example/5.1.1', '550 See https://help.example/5.1.1'],
  ])('%j → %j', (response, snippet) => {
    expect(snippetOf(response)).toBe(snippet);
  });

  it('is 1 KiB at most, and contains no half of an address', () => {
    expect(new TextEncoder().encode(snippetOf(`550 ${'é'.repeat(3000)}`) ?? '').length).toBeLessThanOrEqual(1024);
    for (let length = 4070; length < 4110; length += 1) {
      expect(
        snippetOf(`550 ${'<a@b.example> '.repeat(500).slice(0, length - 20)}jordan.rivera@example.com`),
      ).not.toMatch(/jordan|a@b/);
    }
  });

  it('has room for the note on copies', () => {
    const outcome = takenBySmtp(`250 ${'é'.repeat(2000)}`, { asked: 3, refused: 2 }, 5);
    const snippet = outcome.kind === 'taken' ? (outcome.responseSnippet ?? '') : '';
    expect(snippet.endsWith('é\n(2 of 3 cc addresses did not get it.)')).toBe(true);
    expect(new TextEncoder().encode(snippet).length).toBeLessThanOrEqual(1024);
  });
});

describe('The outcome of an accepted mail', () => {
  it.each([
    [null, '250 OK'],
    [{ asked: 2, refused: 0 }, '250 OK'],
    [{ asked: 1, refused: 1 }, '250 OK\n(1 of 1 cc address did not get it.)'],
  ])('with copies %j contains %j', (copies, responseSnippet) => {
    expect(takenBySmtp('250 OK', copies, 7)).toEqual({
      kind: 'taken',
      responseCode: 250,
      responseSnippet,
      latencyMs: 7,
      error: null,
    });
  });
});
