// Suppliers that post leads at a set rate to any API that responds, and repeat each under its external id until it is accepted.
import { setTimeout as sleep } from 'node:timers/promises';

import { Pool } from 'undici';

import { externalIdOf, leadOf, supplierOf } from './market.ts';

export type Offered = {
  readonly serial: number;
  readonly round: number;
  /** Milliseconds since 1970, like all times here. */
  readonly offeredAt: number;
  acknowledgedAt: number | null;
  leadId: string | null;
};

export type Suppliers = {
  /** In the order of the serial numbers. */
  readonly offered: readonly Offered[];
  /** The number of responses of each kind, such as `202`, `503`, `no answer`. */
  readonly responses: ReadonlyMap<string, number>;
  /** Responses that no supplier should ever get, in words. */
  readonly wrong: string[];
  /** Every response 202: when its request was sent and when it arrived. */
  readonly accepted: ReadonlyArray<{ readonly sentAt: number; readonly at: number }>;
  /** Offers leads until `stop`, which resolves when each is accepted, or `withinMs` later. */
  begin(round: number): { stop(withinMs: number): Promise<void> };
  close(): Promise<void>;
};

export type SuppliersOptions = {
  /** Of the APIs; it may change during the test. */
  readonly urls: readonly string[];
  readonly keys: Readonly<Record<string, string>>;
  readonly perSecond: number;
};

/** How long a supplier's program waits for a response before it uses the other API. */
const ANSWER_WITHIN_MS = 8000;
const CONNECT_WITHIN_MS = 3000;
/** An API without a response is not used for this long, as with a load balancer. */
const REST_MS = 3000;
const LONGEST_PAUSE_MS = 1000;

type Api = { readonly pool: Pool; restsUntil: number };

export function openSuppliers({ urls, keys, perSecond }: SuppliersOptions): Suppliers {
  const apis: Api[] = urls.map((url) => ({
    pool: new Pool(url, {
      connections: 64,
      headersTimeout: ANSWER_WITHIN_MS,
      bodyTimeout: ANSWER_WITHIN_MS,
      connect: { timeout: CONNECT_WITHIN_MS },
    }),
    restsUntil: 0,
  }));
  const offered: Offered[] = [];
  const responses = new Map<string, number>();
  const wrong: string[] = [];
  const accepted: Array<{ sentAt: number; at: number }> = [];
  const loads = new Set<NodeJS.Timeout>();
  let turn = 0;
  let isOver = false;

  const nextApi = (): Api => {
    turn += 1;
    const inTurn = apis.map((_, index) => apis[(turn + index) % apis.length]).filter((api) => api !== undefined);
    const now = Date.now();
    return inTurn.find(({ restsUntil }) => restsUntil <= now) ?? (inTurn[0] as Api);
  };

  /** How long to wait before the next try; null when the lead is accepted or rejected for good. */
  const tryOnce = async (lead: Offered): Promise<number | null> => {
    const api = nextApi();
    const sentAt = Date.now();
    const response = await post(api.pool, keys, lead).catch((error: unknown) => String(error));
    if (typeof response === 'string') {
      api.restsUntil = Date.now() + REST_MS;
      count(responses, 'no answer');
      return LONGEST_PAUSE_MS;
    }
    count(responses, String(response.status));
    const fault = whatIsWrong(lead, response);
    if (fault !== null) wrong.push(fault);
    if (response.status === 503) return Math.min((response.retryAfterSeconds ?? 1) * 1000, LONGEST_PAUSE_MS);
    if (response.status !== 202) return null;
    accepted.push({ sentAt, at: Date.now() });
    lead.acknowledgedAt = Date.now();
    lead.leadId = response.leadId;
    return null;
  };

  return {
    offered,
    responses,
    wrong,
    accepted,
    begin(round) {
      const open = new Set<Promise<void>>();
      let giveUpAt = Number.POSITIVE_INFINITY;
      const insist = async (lead: Offered): Promise<void> => {
        while (!isOver && Date.now() < giveUpAt) {
          const pause = await tryOnce(lead);
          if (pause === null) return;
          await sleep(pause);
        }
      };
      const timer = setInterval(() => {
        const lead: Offered = {
          serial: offered.length,
          round,
          offeredAt: Date.now(),
          acknowledgedAt: null,
          leadId: null,
        };
        offered.push(lead);
        const insisting = insist(lead).finally(() => open.delete(insisting));
        open.add(insisting);
      }, 1000 / perSecond);
      loads.add(timer);
      return {
        async stop(withinMs) {
          clearInterval(timer);
          giveUpAt = Date.now() + withinMs;
          await Promise.all(open);
        },
      };
    },
    async close() {
      isOver = true;
      for (const timer of loads) clearInterval(timer);
      await Promise.all(apis.map(({ pool }) => pool.destroy()));
    },
  };
}

type HttpResponse = {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly leadId: string | null;
  readonly text: string;
};

async function post(pool: Pool, keys: SuppliersOptions['keys'], { serial, round }: Offered): Promise<HttpResponse> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/api/v1/ingest',
    headers: { 'content-type': 'application/json', 'x-api-key': keys[supplierOf(serial)] ?? '' },
    body: JSON.stringify(leadOf(serial, round)),
  });
  const text = await body.text();
  const retryAfter = headers['retry-after'];
  const leadId = statusCode === 202 ? (JSON.parse(text) as { lead_id: string }).lead_id : null;
  return {
    status: statusCode,
    retryAfterSeconds: typeof retryAfter === 'string' && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
    leadId,
    text,
  };
}

function whatIsWrong({ serial }: Offered, { status, retryAfterSeconds, text }: HttpResponse): string | null {
  if (status === 202 || (status === 503 && retryAfterSeconds !== null)) return null;
  const lacks = status === 503 ? ' without Retry-After' : '';
  return `${externalIdOf(serial)} was answered ${status}${lacks}: ${text.slice(0, 200)}`;
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
