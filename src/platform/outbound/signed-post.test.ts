// What the public library makes of our signatures.
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';

import { signedPost, webhookBody } from './signed-post.ts';

const [current, previous, foreign] = ['current', 'previous', 'foreign'].map(
  (name) => `whsec_${Buffer.from(name.padEnd(32, '.')).toString('base64')}`,
) as [string, string, string];
const url = 'https://acme.example/hooks';
const id = 'evt_01jd0000000000000000000000';
const occurredAt = new Date('2026-11-20T18:00:00.007Z');
const body = webhookBody({
  type: 'lead.routed',
  occurredAt,
  data: { status: 'Lead Sale', reason: null, who: 'Zoë 🏔' },
});

const verifies = (secret: string, post: ReturnType<typeof signedPost>): boolean => {
  try {
    new Webhook(secret).verify(String(post.body), { ...post.headers });
    return true;
  } catch {
    return false;
  }
};

describe('A signed post', () => {
  it('has a body of type, time and data', () => {
    expect(body).toBe(
      '{"type":"lead.routed","timestamp":"2026-11-20T18:00:00.007Z","data":{"status":"Lead Sale","reason":null,"who":"Zoë 🏔"}}',
    );
  });

  it('is verified with its own secret only', () => {
    const post = signedPost({ url, id, body, secrets: [current] }, new Date());
    expect(post).toMatchObject({ url, body, headers: { 'content-type': 'application/json', 'webhook-id': id } });
    expect([current, previous, foreign].map((secret) => verifies(secret, post))).toEqual([true, false, false]);
  });

  it('is verified with either of two secrets, and has the signature of the current one first', () => {
    const now = new Date();
    const post = signedPost({ url, id, body, secrets: [current, previous] }, now);
    expect([current, previous, foreign].map((secret) => verifies(secret, post))).toEqual([true, true, false]);
    const alone = signedPost({ url, id, body, secrets: [current] }, now).headers['webhook-signature'] ?? '';
    expect(post.headers['webhook-signature']?.split(' ')).toEqual([alone, expect.stringMatching(/^v1,/)]);
  });

  it('is not verified with another body, id or time', () => {
    const post = signedPost({ url, id, body, secrets: [current] }, new Date());
    expect(verifies(current, { ...post, body: body.replace('Lead Sale', 'Lead Salt') })).toBe(false);
    expect(verifies(current, { ...post, headers: { ...post.headers, 'webhook-id': `${id}1` } })).toBe(false);
    const later = String(Number(post.headers['webhook-timestamp']) + 1);
    expect(verifies(current, { ...post, headers: { ...post.headers, 'webhook-timestamp': later } })).toBe(false);
  });

  it('has its time in whole seconds', () => {
    const post = signedPost({ url, id, body, secrets: [current] }, new Date('2026-11-20T18:00:00.999Z'));
    expect(post.headers['webhook-timestamp']).toBe('1795197600');
  });
});
