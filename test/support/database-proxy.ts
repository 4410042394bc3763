// A TCP proxy in front of the tests' PostgreSQL whose connections can stop forwarding, as behind a cut cable: no data passes, and no
// connection ends.
import { createServer, connect, type Socket } from 'node:net';

import pg from 'pg';

export type DatabaseProxy = {
  /** `url` by way of the proxy. */
  through(url: string): string;
  readonly port: number;
  /** Bytes of these lines go nowhere from now on; `new` ones are accepted and get no answer, either. */
  silence(which: { old: boolean; new: boolean }): void;
  /** New lines come through again. Old ones that fell silent stay so. */
  speak(): void;
  /** Nothing listens any more, and every line is cut. */
  close(): Promise<void>;
};

type Line = { isSilent: boolean; readonly ends: readonly Socket[] };

export async function startDatabaseProxy(url: string, port = 0): Promise<DatabaseProxy> {
  const { host, port: serverPort } = new pg.Client({ connectionString: url });
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${serverPort}` } : { host, port: serverPort };
  const lines = new Set<Line>();
  let isNewSilent = false;

  const server = createServer((near) => {
    const far = connect(target);
    const line: Line = { isSilent: isNewSilent, ends: [near, far] };
    lines.add(line);
    const pass = (from: Socket, to: Socket): void => {
      from.on('data', (bytes) => {
        if (!line.isSilent) to.write(bytes);
      });
      // A stopped connection does not forward its end, as behind a cut cable.
      from.on('close', () => {
        if (!line.isSilent) to.destroy();
      });
      from.on('error', () => from.destroy());
    };
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const ownPort = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    port: ownPort,
    through(original) {
      const { user, database, password } = new pg.Client({ connectionString: original });
      const login = password === null || password === undefined ? user : `${user}:${encodeURIComponent(password)}`;
      return `postgresql://${login}@127.0.0.1:${ownPort}/${database}`;
    },
    silence(which) {
      isNewSilent = which.new;
      if (which.old) for (const line of lines) line.isSilent = true;
    },
    speak() {
      isNewSilent = false;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const { ends } of lines) for (const end of ends) end.destroy();
      await closed;
    },
  };
}
