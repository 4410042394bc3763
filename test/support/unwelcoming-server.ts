// A server that speaks PostgreSQL's protocol just far enough to accept any login and to end the connection in the same packet, as a server
// does that is stopped at that moment.
import { createServer, type Socket } from 'node:net';

export type UnwelcomingServer = {
  readonly url: string;
  /** Connections that were let in and ended. */
  readonly welcomed: () => number;
  close(): Promise<void>;
};

export async function startUnwelcomingServer(): Promise<UnwelcomingServer> {
  let welcomed = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      welcomed += 1;
      socket.end(Buffer.concat([LET_IN, READY, ENDED]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `postgresql://anybody@127.0.0.1:${port}/anything`,
    welcomed: () => welcomed,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const LET_IN = message('R', Buffer.alloc(4));
const READY = message('Z', Buffer.from('I'));
const ENDED = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
);
