// Where a server loads the demo, what it says of it, and what becomes of the same data somewhere else: the command as it is run.
import { afterAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, getAsBuyer } from '../support/api-client.ts';
import { createTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import {
  type Env,
  killServers,
  makeDataDir,
  runLeadmarket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';

const OWN = { 'sec-fetch-site': 'same-origin' };

const endings: Array<() => unknown> = [];
afterAll(async () => {
  await killServers();
  for (const end of endings.toReversed()) await end();
});

function newDataDir(): string {
  const { path, remove } = makeDataDir();
  endings.push(remove);
  return path;
}

/** Without a word on the demo unless `env` has one. */
const start = (env: Env): Promise<ServerProcess> => startServer({ DEMO: '', LOG_LEVEL: 'info', ...env });

async function stop(server: ServerProcess): Promise<void> {
  server.signal('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
}

const printed = ({ output }: ServerProcess, name: string): string | null =>
  new RegExp(`^${name} {2}(.+)$`, 'm').exec(output())?.[1] ?? null;

const logged = ({ output }: ServerProcess, words: string): readonly string[] =>
  output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(words));

describe.concurrent('A server on an empty database', () => {
  it('that is external starts without a demo, says why, and loads the demo with DEMO=on', async () => {
    const { url, drop } = await createTestDatabase();
    endings.push(drop);
    const empty = await start({ DATABASE_URL: url });
    expect(printed(empty, 'Demo')).toMatch(/^none, because DATABASE_URL .* DEMO=on /);
    expect([printed(empty, 'Buyer token'), (await call(`${empty.url}/demo/inbox`)).status]).toEqual([null, 404]);
    await stop(empty);

    const insisted = await start({ DATABASE_URL: url, DEMO: 'on' });
    expect(printed(insisted, 'Buyer token')).toMatch(/^lmb_/);
    expect(logged(insisted, 'the demo is on').map((line) => JSON.parse(line).level)).toEqual(['warn']);
    await stop(insisted);
  });

  it('that is embedded starts without a demo while it listens on all addresses, and says why', async () => {
    const server = await start({ DATA_DIR: newDataDir(), HOST: '0.0.0.0' });
    expect(printed(server, 'Demo')).toMatch(/^none, because the service listens on 0\.0\.0\.0.* DEMO=on /);
    expect(printed(server, 'Buyer token')).toBeNull();
    await stop(server);
  });
});

describe('A server on an embedded database that listens on loopback', () => {
  it('loads the demo, switches it off when it listens elsewhere, and has none after `demo end`', async () => {
    const env = { DATA_DIR: newDataDir() };
    const first = await start(env);
    const token = printed(first, 'Buyer token') ?? '';
    const password = /#name=demo&password=(\S+)$/m.exec(first.output())?.[1] ?? '';
    const signIn = ({ url }: ServerProcess): Promise<ApiResponse> =>
      call(`${url}/console/api/session`, { method: 'POST', headers: OWN, body: { name: 'demo', password } });
    const facts = async (server: ServerProcess): Promise<unknown> => ({
      warnings: logged(server, 'the demo is on').length,
      inbox: (await call(`${server.url}/demo/inbox`)).status,
      isDemo: (await call(`${server.url}/portal/api/session`, { headers: OWN })).json.isDemo,
      operator: (await signIn(server)).status,
      token: (await getAsBuyer(server.url, token, '/api/v1/buyer/account')).status,
    });
    const isOn = { warnings: 1, inbox: 200, isDemo: true, operator: 200, token: 200 };
    const isOff = { warnings: 0, inbox: 404, isDemo: false, operator: 401, token: 200 };
    expect(await facts(first)).toEqual(isOn);
    await stop(first);

    const elsewhere = await start({ ...env, HOST: '0.0.0.0' });
    expect(await facts(elsewhere)).toEqual(isOff);
    expect(logged(elsewhere, 'switched off')).toHaveLength(1);
    await stop(elsewhere);
    const off = await start({ ...env, DEMO: 'off' });
    expect(await facts(off)).toEqual(isOff);
    await stop(off);

    const again = await start(env);
    expect(await facts(again)).toEqual(isOn);
    expect(printed(again, 'Buyer token')).toBeNull();
    const ended = await runLeadmarket(env, 'demo', 'end');
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    for (const said of ['The demo has ended', 'What stays', 'operator add NAME', 'DATA_DIR'])
      expect(ended.stdout).toContain(said);
    const isGone = { ...isOff, warnings: 1, token: 401 };
    await eventually('the running server uses it', async () => {
      const { status } = await getAsBuyer(again.url, token, '/api/v1/buyer/account');
      return status === 401 && (await call(`${again.url}/demo/inbox`)).status === 404;
    });
    expect(await facts(again)).toEqual(isGone);
    await stop(again);

    const after = await start(env);
    expect(await facts(after)).toEqual({ ...isGone, warnings: 0 });
    expect([printed(after, 'Demo'), printed(after, 'Buyer token'), logged(after, 'demo')]).toEqual([null, null, []]);
    await stop(after);
  });
});
