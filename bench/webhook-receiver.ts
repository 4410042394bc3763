// A program: receives webhooks like partners' endpoints, responds at once, and records when each lead arrived. Sends its port by IPC, on
// `report` the leads received since the last one with their times. It responds 409 to paths that begin with /picky-, 200 in JSON to those
// with /json-, and 200 to others; after `hang`, requests to paths that begin with /slow- get no response for 15 s.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { leadNumberIn } from './support/lead-body.ts';

/** `isSlow`: at one of the endpoints that hang on request; `isRejected`: at one that rejects. */
export type Arrival = {
  readonly number: number;
  readonly arrivedAt: number;
  readonly isSlow: boolean;
  readonly isRejected: boolean;
};
export type ReceiverMessage = { readonly port: number } | { readonly arrivals: readonly Arrival[] };

const TAKEN = '{"status":"accepted","id":"CRM-20418"}';

let arrivals: Arrival[] = [];
let hangs = false;
const HANG_MS = 15_000;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const arrivedAt = Number(process.hrtime.bigint() / 1000n);
    const isSlow = request.url?.startsWith('/slow-') === true;
    const isRejected = request.url?.startsWith('/picky-') === true;
    if (isRejected) response.statusCode = 409;
    if (isSlow && hangs) setTimeout(() => response.end(), HANG_MS).unref();
    else if (request.url?.startsWith('/json-') === true)
      response.setHeader('content-type', 'application/json').end(TAKEN);
    else response.end();
    const number = leadNumberIn(Buffer.concat(chunks).toString('latin1'));
    if (number !== null) arrivals.push({ number, arrivedAt, isSlow, isRejected });
  });
});

server.listen(0, '127.0.0.1', () => {
  send({ port: (server.address() as AddressInfo).port });
});
process.on('message', (message) => {
  if (message === 'hang') {
    hangs = true;
    return;
  }
  send({ arrivals });
  arrivals = [];
});

function send(message: ReceiverMessage): void {
  process.send?.(message);
}
