// A TCP proxy between one process and PostgreSQL that can drop, refuse, delay and swallow data, and cut a commit in two.
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';

import { asksToCommit, shutdownError, hasCommitted, type Message, messageReader, readiness } from './wire.ts';

/** `before`: the server never gets the commit. `after`: it has committed, and the client never gets the response. */
export type CommitCut = 'before' | 'after';

export type Line = {
  /** On 127.0.0.1, for as long as the proxy lives, also while it refuses connections. */
  readonly port: number;
  /** Ends every connection at once. */
  drop(): void;
  /** Ends every connection and refuses new ones. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  /** Every connection stops forwarding without an end, and so does every new one until `speak`. The dead ones stay dead. */
  silence(): void;
  speak(): void;
  /** Ends the dead connections on both sides. */
  clearDead(): void;
  /** Delays every byte by this long, in both directions. */
  delay(ms: number): void;
  /** Called at every commit: whether to cut the connection there. Null ends it. */
  cutCommits(choose: (() => CommitCut | null) | null): void;
  /** Each new connection is ended in the packet that accepts it. */
  endAtWelcome(isOn: boolean): void;
  /** Called when the server waits inside of an open transaction, before the client hears of it: after its n-th statement, n from 1. */
  onOpenTransaction(listener: ((statements: number) => void) | null): void;
  close(): Promise<void>;
};

type State = {
  isSilent: boolean;
  delayMs: number;
  endsAtWelcome: boolean;
  chooseCut: (() => CommitCut | null) | null;
  onOpen: ((statements: number) => void) | null;
};

type Connection = { readonly client: Socket; readonly server: Socket | null; isDead: boolean };

export async function openLine(target: NetConnectOpts): Promise<Line> {
  const state: State = { isSilent: false, delayMs: 0, endsAtWelcome: false, chooseCut: null, onOpen: null };
  const connections = new Set<Connection>();
  const join = (client: Socket): void => {
    const connection = state.isSilent ? deadConnection(client) : carry(client, connect(target), state);
    connections.add(connection);
    client.once('close', () => {
      // The server's side of a dead connection is not informed.
      if (!connection.isDead) connections.delete(connection);
    });
  };
  let server = await listen(0, join);
  const { port } = server.address() as AddressInfo;
  const end = (which: (connection: Connection) => boolean): void => {
    for (const connection of [...connections].filter(which)) {
      connections.delete(connection);
      connection.client.resetAndDestroy();
      connection.server?.destroy();
    }
  };
  const stopListening = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
  const isAlive = ({ isDead }: Connection): boolean => !isDead;

  return {
    port,
    drop: () => end(isAlive),
    async refuse() {
      const closed = stopListening();
      end(() => true);
      await closed;
    },
    async accept() {
      server = await listen(port, join);
    },
    silence() {
      state.isSilent = true;
      for (const connection of connections) goDead(connection);
    },
    speak() {
      state.isSilent = false;
    },
    clearDead: () => end(({ isDead }) => isDead),
    delay(ms) {
      state.delayMs = ms;
    },
    cutCommits(choose) {
      state.chooseCut = choose;
    },
    endAtWelcome(isOn) {
      state.endsAtWelcome = isOn;
    },
    onOpenTransaction(listener) {
      state.onOpen = listener;
    },
    async close() {
      const closed = stopListening();
      end(() => true);
      await closed;
    },
  };
}

function listen(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function deadConnection(client: Socket): Connection {
  client.on('error', () => undefined);
  client.pause();
  return { client, server: null, isDead: true };
}

function goDead(connection: Connection): void {
  connection.isDead = true;
  connection.client.pause();
  connection.server?.pause();
}

function carry(client: Socket, server: Socket, state: State): Connection {
  const connection: Connection = { client, server, isDead: false };
  server.setNoDelay(true);
  const cut = (): void => {
    client.resetAndDestroy();
    server.destroy();
  };
  const toServer = sender(server, connection, state);
  const toClient = sender(client, connection, state);
  let endsAfterCommit = false;
  let isWelcomed = false;
  let statements = 0;

  const onRequest = (message: Message): Buffer | 'cut' => {
    if (state.chooseCut === null || !asksToCommit(message)) return message.bytes;
    const choice = state.chooseCut();
    if (choice === 'after') endsAfterCommit = true;
    return choice === 'before' ? 'cut' : message.bytes;
  };
  const onResponse = (message: Message): Buffer | 'cut' => {
    if (endsAfterCommit && hasCommitted(message)) return 'cut';
    const ready = readiness(message);
    if (ready === null) return message.bytes;
    const isWelcome = !isWelcomed;
    isWelcomed = true;
    if (isWelcome && state.endsAtWelcome) {
      setImmediate(cut);
      return Buffer.concat([message.bytes, shutdownError()]);
    }
    statements = ready === 'open' ? statements + 1 : 0;
    if (ready === 'open') state.onOpen?.(statements);
    return message.bytes;
  };
  relay(client, { ...toServer, read: messageReader({ startsUntyped: true }), on: onRequest, connection, cut });
  relay(server, { ...toClient, read: messageReader({ startsUntyped: false }), on: onResponse, connection, cut });
  return connection;
}

type Relay = {
  readonly send: (bytes: Buffer) => void;
  readonly end: () => void;
  readonly read: (chunk: Buffer) => Message[];
  readonly on: (message: Message) => Buffer | 'cut';
  readonly connection: Connection;
  readonly cut: () => void;
};

function relay(from: Socket, { send, end, read, on, connection, cut }: Relay): void {
  from.on('data', (chunk) => {
    // What came before the pause.
    if (connection.isDead) return;
    const passed: Buffer[] = [];
    for (const message of read(chunk)) {
      const what = on(message);
      if (what === 'cut') {
        cut();
        return;
      }
      passed.push(what);
    }
    if (passed.length > 0) send(Buffer.concat(passed));
  });
  from.on('end', () => {
    if (!connection.isDead) end();
  });
  from.on('error', () => {
    if (!connection.isDead) cut();
  });
}

/** Writes in order, each chunk with the delay that was set when it arrived. */
function sender(to: Socket, connection: Connection, state: State): Pick<Relay, 'send' | 'end'> {
  const queue: Array<Buffer | 'end'> = [];
  const deliver = (): void => {
    const next = queue.shift();
    if (next === undefined || connection.isDead || to.destroyed) return;
    if (next === 'end') to.end();
    else to.write(next);
  };
  const put = (item: Buffer | 'end'): void => {
    queue.push(item);
    // A timer always takes the first chunk, so that no chunk overtakes another when the delay ends.
    if (state.delayMs > 0 || queue.length > 1) setTimeout(deliver, state.delayMs);
    else deliver();
  };
  return { send: put, end: () => put('end') };
}
