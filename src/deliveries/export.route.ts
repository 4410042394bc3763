// GET /api/v1/buyer/export: the partner's deliveries as a CSV file of any length, written as it is read (contract 6, GET export;
// source 2.13).
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { wantsGzip } from '../platform/http/accept-encoding.rules.ts';
import type { App } from '../platform/http/app.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { principalOf } from '../platform/http/scope.ts';
import { type DeliveryFilter, deliveryFilterSchema, readDeliveryFilter } from './delivery-filter.ts';
import { csvFileName, csvHeader } from './export-csv.rules.ts';
import { exportLines } from './export-line.rules.ts';
import { readExport } from './read-export.ts';

export type ExportDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** For tests only. */
  readonly limits?: ExportLimits;
};

export type ExportLimits = {
  /** Exports of more than one page at a time. Each holds a connection of the pool, of which others need some, too. */
  readonly atOnce: number;
  /** For a client to take one page more. */
  readonly patienceMs: number;
  /** For all of it: while it lasts, the database keeps whatever its snapshot can see. */
  readonly longestMs: number;
};

const LIMITS: ExportLimits = { atOnce: 4, patienceMs: 30_000, longestMs: 15 * 60_000 };
const BUSY = {
  status: 503,
  code: 'unavailable',
  detail: 'Too many exports are under way.',
  headers: { 'retry-after': '2' },
} as const;
// Half the work of the usual level for a file a few percent larger.
const GZIP = { level: constants.Z_BEST_SPEED + 2 };

const CsvSchema = Type.String({
  description:
    "RFC 4180 in UTF-8: a line of column names, then one line for each delivery, all ending with CRLF; without a byte order mark. Instants are ISO 8601 UTC, money has two decimals, truth is `true` or `false`, and what is not known is empty. Text that a spreadsheet would run as a formula has a `'` in front.",
  examples: [
    `${csvHeader}dlv_01m7wyk0h2emp81qch4dvtyn6a,LS-100042,Lead Sale,Confirmed,45.00,2026-11-20T17:03:12.418Z,false,Jordan Rivera,jordan.rivera@example.com,+15555550123,CA,24500.00,true,2026-11-20T17:03:11.000Z,v7,203.0.113.24,search,cpc,west,,,https://forms.example.com/debt?utm_source=search\r\n`,
  ],
});

export function registerExport(scope: App, { database, clock, limits = LIMITS }: ExportDependencies): void {
  let underWay = 0;

  /** Ends when the whole file is sent; refuses, and sends nothing, where it is large and there is no place for it. */
  async function send(tx: Tx, wish: ExportWish): Promise<'sent' | 'busy'> {
    const pages = readExport(tx, wish.buyerKey, wish.filter);
    // Before anything is sent, so that what fails here still gets an answer of its own.
    const first = await pages.next();
    const isLarge = first.done !== true && !first.value.isLast;
    if (isLarge && underWay >= limits.atOnce) return 'busy';
    underWay += isLarge ? 1 : 0;
    try {
      await write(csvOf(first, pages), wish, limits);
      return 'sent';
    } finally {
      underWay -= isLarge ? 1 : 0;
    }
  }

  scope.get(
    '/api/v1/buyer/export',
    {
      config: { answerHeaders: ['Content-Disposition'] },
      attachValidation: true,
      schema: {
        operationId: 'exportDeliveries',
        summary: 'Export your deliveries as CSV',
        description:
          'All matching deliveries as they are at one instant, newest first by deliveredAt, then by deliveryId. Ask for gzip by `Accept-Encoding`. A transfer that breaks off is not complete; one that takes more than 15 minutes is broken off, so export long times in parts.',
        tags: ['Buyer'],
        querystring: Type.Object(deliveryFilterSchema),
        response: {
          200: { description: 'The file.', content: { 'text/csv': { schema: CsvSchema } } },
          ...documentedProblems('partner_suspended'),
        },
      },
    },
    async (request, reply) => {
      const filter = readDeliveryFilter(request.query, request.validationError);
      const gzip = wantsGzip(request.raw.headers['accept-encoding']);
      const fileName = csvFileName({ ...filter, today: clock.now() });
      const headers = {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${fileName}"`,
        vary: 'Accept-Encoding',
        ...(gzip ? { 'content-encoding': 'gzip' } : {}),
      };
      if (request.method === 'HEAD') {
        begin(reply, headers).end();
        return reply;
      }
      const wish = { buyerKey: principalOf(request).ownerKey, filter, reply, headers, gzip };
      try {
        const outcome = await database.tx((tx) => send(tx, wish), { snapshot: true });
        if (outcome === 'busy') sendProblem(request, reply, BUSY);
      } catch (error) {
        if (!reply.raw.headersSent) throw error;
        logBrokenOff(request, error);
      }
      return reply;
    },
  );
}

type ExportWish = {
  readonly buyerKey: string;
  readonly filter: DeliveryFilter;
  readonly reply: FastifyReply;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
};

type Pages = ReturnType<typeof readExport>;

async function* csvOf(first: Awaited<ReturnType<Pages['next']>>, rest: Pages): AsyncGenerator<string, void, undefined> {
  yield csvHeader;
  if (first.done === true) return;
  yield exportLines(first.value.rows);
  for await (const { rows } of rest) yield exportLines(rows);
}

/** Whatever goes wrong cuts the connection: a file that is not complete must not look as if it were. */
async function write(
  csv: AsyncGenerator<string, void, undefined>,
  { reply, headers, gzip }: ExportWish,
  limits: ExportLimits,
): Promise<void> {
  const response = begin(reply, headers);
  const giveUp = (): void => void response.destroy();
  const longest = setTimeout(giveUp, limits.longestMs);
  const chunks = patiently(csv, { giveUp, patienceMs: limits.patienceMs });
  try {
    await (gzip ? pipeline(chunks, createGzip(GZIP), response) : pipeline(chunks, response));
  } finally {
    clearTimeout(longest);
  }
}

/** Takes the answer over: the framework would answer an early failure with a document under the headers of the file. */
function begin(reply: FastifyReply, headers: ExportWish['headers']): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...headers })) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  return reply.raw.writeHead(200);
}

/** A client that stops taking, or takes next to nothing, would hold the connection to the database for ever. */
async function* patiently(
  chunks: AsyncGenerator<string, void, undefined>,
  { giveUp, patienceMs }: { readonly giveUp: () => void; readonly patienceMs: number },
): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) {
    // The server's own work keeps the process alive; timers that would, too, make V8 take every chunk for old.
    const patience = setTimeout(giveUp, patienceMs).unref();
    try {
      yield chunk;
    } finally {
      clearTimeout(patience);
    }
  }
}

/** Of a client that hung up there is nothing to tell. */
function logBrokenOff({ log, routeOptions }: FastifyRequest, error: unknown): void {
  const isHangUp = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_STREAM_');
  log[isHangUp ? 'debug' : 'error']({ err: error, route: routeOptions.url }, 'answer broken off');
}
