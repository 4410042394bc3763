import { expect, it } from 'vitest';
import { samplesOf, specialBlocks } from '../../../test/support/blocked-addresses.ts';
import { checkTarget } from './check-target.ts';
import { resolveWithin, shareLookups, type Resolve } from './resolve-name.ts';

const url = 'https://crm.summit.example/hook';
const response =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses);
const never: Resolve = () => Promise.reject(new Error('nobody should ask'));

it('takes a name whose addresses are all public', async () => {
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
])('refuses a name with a blocked address among its answers: %j', async (addresses) => {
  const verdict = await checkTarget(url, { allowTargets: [], resolve: response(...addresses) });
  expect(verdict).toMatchObject({ ok: false, code: 'webhook_url_blocked' });
  expect(JSON.stringify(verdict)).not.toContain(addresses[0]);
});

it.each(specialBlocks)('refuses a name in $name, and takes its neighbours', async (block) => {
  const verdictOf = async (address: string): Promise<boolean> =>
    (await checkTarget(url, { allowTargets: [], resolve: response('8.8.8.8', address) })).ok;
  for (const address of samplesOf(block)) expect(await verdictOf(address), address).toBe(false);
  for (const address of block.outside) expect(await verdictOf(address), address).toBe(true);
});

it('refuses an answer with a blocked address behind any number of public ones', async () => {
  const many = Array.from({ length: 500 }, (_, index) => `8.8.${index >> 8}.${index & 255}`);
  const resolve = response(...many, '10.0.0.1');
  expect(await checkTarget(url, { allowTargets: [], resolve })).toMatchObject({ ok: false });
});

it.each(['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL'])('lets a name that does not resolve (%s) be saved', async (code) => {
  const resolve: Resolve = () => Promise.reject(Object.assign(new Error(code), { code }));
  expect(await checkTarget(url, { allowTargets: [], resolve })).toMatchObject({ ok: true });
});

it('lets a name without any address be saved', async () => {
  expect(await checkTarget(url, { allowTargets: [], resolve: response() })).toMatchObject({ ok: true });
});

it('does not ask for what the text already refuses, for literals and for exempt origins', async () => {
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

it('asks once for a name that is being asked for already, and again afterwards', async () => {
  const asked: string[] = [];
  const resolve = shareLookups((hostname) => {
    asked.push(hostname);
    return Promise.resolve(['8.8.8.8']);
  });
  await Promise.all([resolve('a.example'), resolve('a.example'), resolve('b.example')]);
  await resolve('a.example');
  expect(asked).toEqual(['a.example', 'b.example', 'a.example']);
});

it('gives up on a resolver that says nothing, which is no refusal', async () => {
  const silent: Resolve = () => new Promise<never>(() => undefined);
  expect(await resolveWithin(silent, 'crm.summit.example', 1)).toMatchObject({ ok: false, timedOut: true });
});
