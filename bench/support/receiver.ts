// Runs the partners' endpoint as a separate process, and reads what it has received.
import { join } from 'node:path';

import type { Arrival, ReceiverMessage } from '../webhook-receiver.ts';
import { type Program, startPeer } from './processes.ts';

export type Receiver = {
  readonly origin: string;
  /** What came since the last call. */
  readonly takeArrivals: () => Promise<readonly Arrival[]>;
  /** From now on the endpoints whose keys begin with slow- hang. */
  readonly hang: () => void;
  readonly stop: Program['stop'];
};

export async function startReceiver(): Promise<Receiver> {
  const program = startPeer(join(import.meta.dirname, '../webhook-receiver.ts'));
  const next = (): Promise<ReceiverMessage> =>
    new Promise((resolve) => program.child.once('message', (message) => resolve(message as ReceiverMessage)));
  const hello = await next();
  return {
    origin: `http://127.0.0.1:${'port' in hello ? hello.port : 0}`,
    async takeArrivals() {
      const response = next();
      program.child.send('report');
      const message = await response;
      return 'arrivals' in message ? message.arrivals : [];
    },
    hang: () => void program.child.send('hang'),
    stop: program.stop,
  };
}
