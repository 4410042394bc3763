import { describe, expect, it } from 'vitest';

import { needsWritableServer, serverListFault, serverUrls } from './server-list.rules.ts';

describe('The list of servers in a PostgreSQL URL', () => {
  it.each<[url: string, urls: string[]]>([
    ['postgresql://db/leads', ['postgresql://db/leads']],
    ['postgresql:///leads?host=/run/postgresql', ['postgresql:///leads?host=/run/postgresql']],
    ['postgres://one,two/leads', ['postgres://one/leads', 'postgres://two/leads']],
    [
      'postgresql://me:p%40,w@one:5432,two:5433,[::1]:6000/leads?sslmode=require',
      [
        'postgresql://me:p%40,w@one:5432/leads?sslmode=require',
        'postgresql://me:p%40,w@two:5433/leads?sslmode=require',
        'postgresql://me:p%40,w@[::1]:6000/leads?sslmode=require',
      ],
    ],
    ['postgresql://me:a,b@db/leads', ['postgresql://me:a,b@db/leads']],
  ])('becomes one URL for each server: %s', (url, urls) => {
    expect(serverUrls(url)).toEqual(urls);
    expect(serverListFault(url)).toBeNull();
  });

  it.each([
    ['postgresql://db/leads', false],
    ['postgresql://db/leads?target_session_attrs=read-write', true],
    ['postgresql://one,two/leads', true],
    ['postgresql://one,two/leads?sslmode=require&target_session_attrs=primary', true],
  ])('is given a condition for a writable server if one of several may be a standby: %s', (url, isNeeded) => {
    expect(needsWritableServer(url)).toBe(isNeeded);
  });

  it.each([
    ['postgresql://one,,two/leads', 'each must be a host or host:port'],
    ['postgresql://one:5432,two:99999/leads', 'each must be a host or host:port'],
    ['postgresql://one,two:/leads', 'each must be a host or host:port'],
    ['postgresql:///leads?host=one,two', 'they must stand before the path'],
    ['postgresql://one,two/leads?port=5432%2C5433', 'they must stand before the path'],
    ['postgresql://one,two/leads?target_session_attrs=any', 'must have read-write, primary or none'],
    ['postgresql://db/leads?target_session_attrs=standby', 'must have read-write, primary or none'],
  ])('is rejected with a description of its form: %s', (url, fault) => {
    expect(serverListFault(url)).toContain(fault);
  });

  it('may ask for a standby where the service only reads', () => {
    for (const target of ['any', 'standby', 'prefer-standby']) {
      expect(serverListFault(`postgresql://db/leads?target_session_attrs=${target}`, 'any')).toBeNull();
    }
    expect(serverListFault('postgresql://one,,two/leads', 'any')).toContain('each must be a host or host:port');
  });
});
