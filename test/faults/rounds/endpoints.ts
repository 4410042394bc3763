// The partners' endpoints of the fault test: two fast ones, a slow one, and one that at first fails, hangs or breaks off.
import { setTimeout as sleep } from 'node:timers/promises';

import { type ReceivedRequest, type Reply, startReceiver } from '../../support/receiver.ts';

export type Sold = {
  /** Email addresses received under this webhook-id: always one. */
  readonly emails: Set<string>;
  readonly partner: string;
  requests: number;
  /** Milliseconds since 1970, of the first request with the response 200. */
  takenAt: number | null;
};

export type Endpoints = {
  readonly origin: string;
  readonly sold: ReadonlyMap<string, Sold>;
  /** When the lead of this contact was first accepted by an endpoint. */
  takenAt(email: string): number | null;
  close(): Promise<void>;
};

const SLOW_MS = 1500;

/** `areHealthy`: none is slow or fails, which bounds how many leads a second can be sent. */
export async function startEndpoints({ areHealthy = false } = {}): Promise<Endpoints> {
  const sold = new Map<string, Sold>();
  const takenAt = new Map<string, number>();
  const respond = async (request: ReceivedRequest): Promise<Reply> => {
    receiver.requests.length = 0;
    const id = String(request.headers['webhook-id']);
    const { data } = JSON.parse(request.body) as { data: { lead: { email: string } } };
    const { email } = data.lead;
    const partner = request.path.slice(1);
    const one = sold.get(id) ?? { emails: new Set<string>(), partner, requests: 0, takenAt: null };
    sold.set(id, one);
    one.emails.add(email);
    one.requests += 1;
    const fault = partner === 'shaky' && !areHealthy && one.requests === 1 ? firstResponse(id) : null;
    if (fault !== null) return fault;
    if (partner === 'slow' && !areHealthy) await sleep(SLOW_MS);
    one.takenAt ??= Date.now();
    if (!takenAt.has(email)) takenAt.set(email, one.takenAt);
    return { status: 200 };
  };
  const receiver = await startReceiver({ respond });
  return {
    origin: receiver.origin,
    sold,
    takenAt: (email) => takenAt.get(email) ?? null,
    close: () => receiver.close(),
  };
}

/** Of ten first requests three get 500, one is broken off and one is left without an answer. */
function firstResponse(id: string): Reply | null {
  const digit = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_007, 7) % 10;
  if (digit < 3) return { status: 500 };
  if (digit === 3) return 'reset';
  return digit === 4 ? 'hang' : null;
}
