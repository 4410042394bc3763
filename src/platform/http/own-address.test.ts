// Tests under which names the service is itself, and where links in its emails begin (contract 7.12).
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';

import { isOwnHost, ownAddress } from './own-address.ts';

const from = (host: string, protocol = 'http') => ({ host, protocol }) as unknown as FastifyRequest;

describe('The address of the service', () => {
  it('is that of the settings, whatever the request says', () => {
    expect(ownAddress('https://leads.example', from('evil.example'))).toBe('https://leads.example');
    expect(ownAddress('https://leads.example', from('localhost:3000'))).toBe('https://leads.example');
  });

  it.each(['localhost', 'localhost:3000', 'LOCALHOST:3000', '127.0.0.1:3000', '127.8.9.10', '[::1]:3000'])(
    'is the open one on this machine: %s',
    (host) => {
      expect(ownAddress(null, from(host))).toBe(`http://${host}`);
    },
  );

  it.each([
    ...['evil.example', 'localhost.evil.example', 'localhost:3000@evil.example', '127.0.0.1.evil.example', '10.0.0.5'],
    ...['', 'localhost:', 'localhost/evil', '[::1].evil.example', 'localhost:3000\n', 'evil.example:80', '[::2]'],
  ])('is not known from %j', (host) => {
    expect(ownAddress(null, from(host))).toBeNull();
  });
});

describe('The names under which pages may be used', () => {
  const hosts = { publicUrl: 'https://leads.example:8443', names: ['console.internal'] };

  it.each([
    ...['leads.example', 'leads.example:8443', 'LEADS.example', 'console.internal:80', 'localhost:3000'],
    ...['10.1.2.3', '10.1.2.3:3000', '[2001:db8::1]:3000', '127.0.0.1'],
  ])('include %s', (host) => {
    expect(isOwnHost(host, hosts)).toBe(true);
  });

  it.each([
    ...['evil.example', 'leads.example.evil.example', 'leads.example@evil.example', 'internal', ''],
    ...['10.1.2.3.evil.example', 'localhost.evil.example', 'leads.example:'],
  ])('do not include %j', (host) => {
    expect(isOwnHost(host, hosts)).toBe(false);
  });

  it('are all names while none is known', () => {
    expect(isOwnHost('anything.example', { publicUrl: null, names: [] })).toBe(true);
    expect(isOwnHost('anything.example', { publicUrl: null, names: ['one.example'] })).toBe(false);
  });
});
