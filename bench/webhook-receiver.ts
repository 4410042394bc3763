// A program: takes webhooks as a partner's endpoint would, answers 200 at once, and remembers when each lead's arrived. Says its
// port by IPC, and on any message how many came since the last one and when.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { leadNumberIn } from './support/lead-body.ts';

export type Arrival = { readonly number: number; readonly arrivedAt: number };
export type ReceiverMessage = { readonly port: number } | { readonly arrivals: readonly Arrival[] };

let arrivals: Arrival[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const arrivedAt = Number(process.hrtime.bigint() / 1000n);
    response.end();
    const number = leadNumberIn(Buffer.concat(chunks).toString('latin1'));
    if (number !== null) arrivals.push({ number, arrivedAt });
  });
});

server.listen(0, '127.0.0.1', () => {
  tell({ port: (server.address() as AddressInfo).port });
});
process.on('message', () => {
  tell({ arrivals });
  arrivals = [];
});

function tell(message: ReceiverMessage): void {
  process.send?.(message);
}
