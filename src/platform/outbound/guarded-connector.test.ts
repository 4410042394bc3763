import { isIPv4, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ipv6Carriers, samplesOf, specialBlocks } from '../../../test/support/blocked-addresses.ts';
import { startReceiver, type Receiver } from '../../../test/support/receiver.ts';
import { dialAddress, DialError, type Dial, type DialFault, type DialTarget } from './dial.ts';
import { createConnector } from './guarded-connector.ts';
import type { Resolve } from './resolve-name.ts';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
});

type Result = { socket: Socket; dialled: DialTarget[] } | { fault: string; dialled: DialTarget[] };

async function open(options: { host: string; resolve?: Resolve; exempt?: boolean; dial: Dial }): Promise<Result> {
  const dialled: DialTarget[] = [];
  const connector = createConnector({
    resolve: options.resolve ?? (() => Promise.reject(new Error('nobody should ask'))),
    exempt: options.exempt ?? false,
    timeoutMs: 60_000,
    ca: undefined,
    dial: (target) => {
      dialled.push(target);
      return options.dial(target);
    },
  });
  return await new Promise((settle) => {
    connector({ hostname: options.host, protocol: 'https:', port: '8443' }, (error, socket) => {
      settle(
        error === null
          ? { socket, dialled }
          : { fault: error instanceof DialError ? error.fault : 'not a dial error', dialled },
      );
    });
  });
}

const fails =
  (fault: DialFault): Dial =>
  () =>
    Promise.reject(new DialError(fault, 'no'));

/** Stands for a network that carries a connection to some other place than the address asked for. */
const divert: Dial = (target) =>
  dialAddress({ ...target, address: '127.0.0.1', port: Number(new URL(receiver.origin).port), tls: null });

const unbracketed = (host: string): string => host.slice(1, -1).toLowerCase();
const wordy = (address: string): string => address.toUpperCase().replace(/^::/, '0::').replace(/::$/, '::0');

const addressesOf = (result: Result): string[] => result.dialled.map((target) => target.address);

describe('The guarded connector', () => {
  it('connects to the very address that was checked and asks for the name in the TLS handshake', async () => {
    const responses = [['8.8.8.8'], ['127.0.0.1']];
    const result = await open({
      host: 'crm.summit.example.',
      resolve: () => Promise.resolve(responses.shift() ?? []),
      dial: fails('refused'),
    });
    expect(result.dialled).toMatchObject([
      { address: '8.8.8.8', port: 8443, tls: { servername: 'crm.summit.example' } },
    ]);
    expect(responses).toEqual([['127.0.0.1']]);
  });

  it('checks literal addresses without a resolver', async () => {
    for (const host of ['127.0.0.1', '10.0.0.1', '::1', '::ffff:127.0.0.1', '::7f00:1', 'fe80::1', '168.63.129.16']) {
      expect(await open({ host, dial: fails('refused') }), host).toEqual({ fault: 'blocked', dialled: [] });
    }
    expect(await open({ host: '8.8.8.8', dial: fails('refused') })).toMatchObject({
      dialled: [{ address: '8.8.8.8', tls: { servername: '' } }],
    });
  });

  it.each(specialBlocks)('opens no socket to $name, and one to its neighbours', async (block) => {
    for (const address of samplesOf(block)) {
      const forms = isIPv4(address) ? [address, ...ipv6Carriers(address).map(unbracketed)] : [address, wordy(address)];
      for (const form of forms) {
        const resolve: Resolve = () => Promise.resolve(['8.8.8.8', form]);
        for (const result of [
          await open({ host: form, dial: fails('refused') }),
          await open({ host: 'crm.summit.example', resolve, dial: fails('refused') }),
        ]) {
          expect(result, form).toEqual({ fault: 'blocked', dialled: [] });
        }
      }
    }
    for (const address of block.outside) {
      const resolve: Resolve = () => Promise.resolve([address]);
      expect(addressesOf(await open({ host: address, dial: fails('refused') }))).toEqual([address]);
      expect(addressesOf(await open({ host: 'crm.summit.example', resolve, dial: fails('refused') }))).toEqual([
        address,
      ]);
    }
  });

  it.each([
    'localhost',
    '127.1',
    '010.8.8.8',
    '0x8.8.8.8',
    '134744072',
    '8.8.8.8.',
    ' 8.8.8.8',
    '8.8.8.8\n',
    '8.8.8.8%eth0',
    '[2606:4700::1]',
    '2606:4700::1%eth0',
    '::ffff:8.8.8.8',
    'crm.summit.example',
    '',
  ])('does not connect to the address %j from a resolver', async (response) => {
    const resolve: Resolve = () => Promise.resolve([response]);
    expect(await open({ host: 'crm.summit.example', resolve, dial: divert })).toEqual({
      fault: 'blocked',
      dialled: [],
    });
    expect(receiver.connections).toBe(0);
  });

  it('rejects a name for one blocked address at any position among its addresses', async () => {
    for (const response of [
      ['127.0.0.1', '8.8.8.8'],
      ['8.8.8.8', '8.8.4.4', '2606:4700::1', '2606:4700::2', '10.0.0.1'],
      ['8.8.8.8', 'not an address'],
    ]) {
      const result = await open({
        host: 'crm.summit.example',
        resolve: () => Promise.resolve(response),
        dial: fails('refused'),
      });
      expect(result).toEqual({ fault: 'blocked', dialled: [] });
    }
  });

  it('cuts a connection that ends at another address than the checked one', async () => {
    let reached: Socket | undefined;
    const dial: Dial = async (target) => (reached = await divert(target));
    expect(await open({ host: '8.8.8.8', dial })).toMatchObject({ fault: 'blocked' });
    expect(reached?.destroyed).toBe(true);
  });

  it('lets an exempt origin end at any address', async () => {
    const result = await open({
      host: 'crm.summit.example',
      exempt: true,
      resolve: () => Promise.resolve(['10.0.0.1']),
      dial: divert,
    });
    expect(result).toHaveProperty('socket');
    if ('socket' in result) result.socket.destroy();
  });

  it('tries three addresses at most, of both families, when connections fail', async () => {
    const resolve: Resolve = () => Promise.resolve(['2606:4700::1', '2606:4700::2', '2606:4700::3', '8.8.8.8']);
    for (const fault of ['refused', 'timeout'] as const) {
      const result = await open({ host: 'crm.summit.example', resolve, dial: fails(fault) });
      expect(result).toMatchObject({ fault });
      expect(addressesOf(result)).toEqual(['2606:4700::1', '8.8.8.8', '2606:4700::2']);
    }
  });

  it('goes on to the next address, but not after a host was reached', async () => {
    const resolve: Resolve = () => Promise.resolve(['8.8.8.8', '8.8.4.4']);
    const secondOnly: Dial = (target) => (target.address === '8.8.8.8' ? fails('refused')(target) : divert(target));
    const result = await open({ host: 'crm.summit.example', exempt: true, resolve, dial: secondOnly });
    expect(result).toHaveProperty('socket');
    if ('socket' in result) result.socket.destroy();
    expect(addressesOf(await open({ host: 'crm.summit.example', resolve, dial: fails('tls') }))).toEqual(['8.8.8.8']);
  });

  it('reports dns for a name that does not resolve', async () => {
    const rejecting: Resolve = () => Promise.reject(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }));
    expect(await open({ host: 'crm.summit.example', resolve: rejecting, dial: divert })).toEqual({
      fault: 'dns',
      dialled: [],
    });
    expect(await open({ host: 'crm.summit.example', resolve: () => Promise.resolve([]), dial: divert })).toEqual({
      fault: 'dns',
      dialled: [],
    });
  });
});
