// Holds a port of loopback for a program that listens on it later, or again: meanwhile connections to it are refused, and the system gives it to
// no other program.
import { connect, createServer, type AddressInfo } from 'node:net';

export type HeldPort = {
  readonly port: number;
  release(): Promise<void>;
};

/**
 * A connection that begins at the port keeps it: a listener that allows addresses to be reused, which all servers here do, may still bind it.
 * `wanted` is a port on which the caller has just stopped to listen.
 */
export async function holdPort(wanted = 0): Promise<HeldPort> {
  const anchor = createServer((end) => void end.unref().on('error', () => end.destroy()));
  // Who never releases it may end nevertheless.
  anchor.unref();
  await new Promise<void>((resolve, reject) => {
    anchor.once('error', reject);
    anchor.listen(0, '127.0.0.1', resolve);
  });
  const { port: anchorPort } = anchor.address() as AddressInfo;
  const line = connect({ host: '127.0.0.1', port: anchorPort, localAddress: '127.0.0.1', localPort: wanted });
  await new Promise<void>((resolve, reject) => {
    line.once('error', reject);
    line.once('connect', resolve);
  });
  line.unref().on('error', () => line.destroy());
  const { localPort = 0 } = line;
  return {
    port: localPort,
    async release() {
      const closed = new Promise((resolve) => anchor.close(resolve));
      // Without the minute that a port waits after an orderly end.
      line.resetAndDestroy();
      await closed;
    },
  };
}
