import { describe, expect, it } from 'vitest';
import { samplesOf, specialBlocks } from '../../../test/support/blocked-addresses.ts';
import { checkTarget } from './check-target.ts';
import { resolveWithin, shareLookups, type Resolve } from './resolve-name.ts';

const url = 'https://crm.summit.example/hook';
const response =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
const never: Resolve = () => Promise.reject(new Error('nobody should ask'));

describe('checkTarget', () => {
  it('accepts a name whose addresses are all public', async () => {
    expect(await checkTarget(url, { allowTargets: [], resolve: response('8.8.8.8', '2606:4700::1') })).toMatchObject({
      ok: true,
      exempt: false,
    });
  });

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['2606:4700::1', 'fe80::1']],
    [['8.8.8.8', '::ffff:8.8.4.4']],
    [['8.8.8.8', 'fe80::1%eth0']],
    [['8.8.8.8', 'not an address']],
    [['168.63.129.16']],
  ])('rejects a name that resolves to a blocked address: %j', async (addresses) => {
    const verdict = await checkTarget(url, { allowTargets: [], resolve: response(...addresses) });
    expect(verdict).toMatchObject({ ok: false, code: 'webhook_url_blocked' });
    expect(JSON.stringify(verdict)).not.toContain(addresses[0]);
  });

  it.each(specialBlocks)(
    'rejects a name that resolves into $name, and accepts the neighbouring addresses',
    async (block) => {
      const verdictOf = async (address: string): Promise<boolean> =>
        (await checkTarget(url, { allowTargets: [], resolve: response('8.8.8.8', address) })).ok;
      for (const address of samplesOf(block)) expect(await verdictOf(address), address).toBe(false);
      for (const address of block.outside) expect(await verdictOf(address), address).toBe(true);
    },
  );

  it('rejects a name with one blocked address behind any number of public ones', async () => {
    const many = Array.from({ length: 500 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
    const resolve = response(...many, '10.0.0.1');
    expect(await checkTarget(url, { allowTargets: [], resolve })).toMatchObject({ ok: false });
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])('accepts a name that does not resolve (%s)', async (code) => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
    expect(await checkTarget(url, { allowTargets: [], resolve })).toMatchObject({ ok: true });
  });

  it('accepts a name without any address', async () => {
    expect(await checkTarget(url, { allowTargets: [], resolve: response() })).toMatchObject({ ok: true });
  });

  it('resolves no literal, no exempt origin and no URL whose text is rejected already', async () => {
    expect(await checkTarget('http://crm.summit.example/', { allowTargets: [], resolve: never })).toMatchObject({
      ok: false,
    });
    expect(await checkTarget('https://8.8.8.8/', { allowTargets: [], resolve: never })).toMatchObject({ ok: true });
    expect(await checkTarget('https://[2606:4700::1]/', { allowTargets: [], resolve: never })).toMatchObject({
      ok: true,
    });
    expect(await checkTarget(url, { allowTargets: ['https://crm.summit.example'], resolve: never })).toMatchObject({
      ok: true,
      exempt: true,
    });
  });

  it('shares one look-up among concurrent checks of a name, and repeats it afterwards', async () => {
    const asked: string[] = [];
    const resolve = shareLookups((hostname) => {
      asked.push(hostname);
      return Promise.resolve(['8.8.8.8']);
    });
    await Promise.all([resolve('a.example'), resolve('a.example'), resolve('b.example')]);
    await resolve('a.example');
    expect(asked).toEqual(['a.example', 'b.example', 'a.example']);
  });

  it('accepts a name if the resolver does not respond', async () => {
    const silent: Resolve = () => new Promise<never>(() => undefined);
    expect(await resolveWithin(silent, 'crm.summit.example', 1)).toMatchObject({ ok: false, timedOut: true });
  });
});
