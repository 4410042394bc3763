// Sends a partner's deliveries as a CSV file of any length, written as it is read: for the public API and for the portal.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Database, Tx } from '../../platform/database/database.ts';
import { wantsGzip } from '../../platform/http/accept-encoding.rules.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { csvHeader } from './export-csv.rules.ts';
import { exportLines } from './export-line.rules.ts';
import type { ExportSlots } from './export-slots.ts';
import { type ExportFilter, type ExportPage, readExport } from './read-export.ts';

export type ExportLimits = {
  /** For a client to take one page more. */
  readonly patienceMs: number;
  /** For all of it: while it lasts, the database keeps whatever its snapshot can see. */
  readonly longestMs: number;
};

export type ExportInput = {
  readonly buyerKey: string;
  readonly filter: ExportFilter;
  /** By the number of deliveries in it. */
  readonly fileName: (total: number) => string;
};

/** Answers the request, whatever becomes of it. */
export type SendExport = (request: FastifyRequest, reply: FastifyReply, input: ExportInput) => Promise<FastifyReply>;

const LIMITS: ExportLimits = { patienceMs: 30_000, longestMs: 15 * 60_000 };
const BUSY = {
  partner_busy: {
    status: 429,
    code: 'rate_limited',
    detail: 'Another large export of this account is still running: only one runs at a time.',
    headers: { 'retry-after': '5' },
  },
  all_busy: {
    status: 503,
    code: 'unavailable',
    detail: 'Too many exports are running.',
    headers: { 'retry-after': '2' },
  },
} as const;
// Half the work of the usual level for a file a few percent larger.
const GZIP = { level: constants.Z_BEST_SPEED + 2 };

type SendExportOptions = {
  readonly database: Database;
  /** Shared by all places that export. */
  readonly slots: ExportSlots;
  readonly limits?: ExportLimits | undefined;
};

export function makeSendExport({ database, slots, limits = LIMITS }: SendExportOptions): SendExport {
  /** Ends when the whole file is sent; sends nothing where the file is large and there is no slot for it. */
  async function send(
    tx: Tx,
    { buyerKey, filter, fileName }: ExportInput,
    named: HttpResponse,
  ): Promise<'sent' | keyof typeof BUSY> {
    const { total, pages } = await readExport(tx, buyerKey, filter);
    // Before anything is sent, so that what fails here still gets an answer of its own.
    const first = await pages.next();
    const isLarge = first.done !== true && !first.value.isLast;
    const slot = isLarge ? slots.take(buyerKey) : null;
    if (slot === 'partner_busy' || slot === 'all_busy') return slot;
    try {
      await write(csvOf(first, pages), { ...named, fileName: fileName(total) }, limits);
      return 'sent';
    } finally {
      if (slot === 'taken') slots.release(buyerKey);
    }
  }

  return async (request, reply, input) => {
    const gzip = wantsGzip(request.raw.headers['accept-encoding']);
    try {
      const outcome = await database.tx((tx) => send(tx, input, { reply, gzip }), { snapshot: true });
      if (outcome !== 'sent') sendProblem(request, reply, BUSY[outcome]);
    } catch (error) {
      if (!reply.raw.headersSent) throw error;
      logBrokenOff(request, error);
    }
    return reply;
  };
}

/** The answer to HEAD: the headers of the file without it. */
export function sendExportHeaders(request: FastifyRequest, reply: FastifyReply, fileName: string): FastifyReply {
  begin({ reply, fileName, gzip: wantsGzip(request.raw.headers['accept-encoding']) }).end();
  return reply;
}

type HttpResponse = { readonly reply: FastifyReply; readonly gzip: boolean };
type NamedResponse = HttpResponse & { readonly fileName: string };
type Pages = AsyncGenerator<ExportPage, void, undefined>;

async function* csvOf(first: Awaited<ReturnType<Pages['next']>>, rest: Pages): AsyncGenerator<string, void, undefined> {
  yield csvHeader;
  if (first.done === true) return;
  yield exportLines(first.value.rows);
  for await (const { rows } of rest) yield exportLines(rows);
}

/** Whatever goes wrong cuts the connection: a file that is not complete must not look as if it were. */
async function write(
  csv: AsyncGenerator<string, void, undefined>,
  named: NamedResponse,
  limits: ExportLimits,
): Promise<void> {
  const response = begin(named);
  const giveUp = (): void => void response.destroy();
  const longest = setTimeout(giveUp, limits.longestMs);
  const chunks = patiently(csv, { giveUp, patienceMs: limits.patienceMs });
  try {
    await (named.gzip ? pipeline(chunks, createGzip(GZIP), response) : pipeline(chunks, response));
  } finally {
    clearTimeout(longest);
  }
}

/** Takes the answer over: the framework would answer an early failure with a document under the headers of the file. */
function begin({ reply, fileName, gzip }: NamedResponse): ServerResponse {
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
    vary: 'Accept-Encoding',
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
  };
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
