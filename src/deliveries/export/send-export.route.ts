// Streams a partner's deliveries as a CSV file of any length, for the public API and the portal.
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
  /** How long a client may take for one page. */
  readonly chunkTimeoutMs: number;
  /** How long the whole export may take: until it ends, the database cannot remove rows that its snapshot sees. */
  readonly totalTimeoutMs: number;
};

export type ExportInput = {
  readonly buyerKey: string;
  readonly filter: ExportFilter;
  /** Given the number of deliveries in the file. */
  readonly fileName: (total: number) => string;
};

/** Always sends a response, also on failure. */
export type SendExport = (request: FastifyRequest, reply: FastifyReply, input: ExportInput) => Promise<FastifyReply>;

const LIMITS: ExportLimits = { chunkTimeoutMs: 30_000, totalTimeoutMs: 15 * 60_000 };
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
// Half the work of the default level, for a file a few percent larger.
const GZIP = { level: constants.Z_BEST_SPEED + 2 };

type SendExportOptions = {
  readonly database: Database;
  /** Shared by all routes that export. */
  readonly slots: ExportSlots;
  readonly limits?: ExportLimits | undefined;
};

export function makeSendExport({ database, slots, limits = LIMITS }: SendExportOptions): SendExport {
  /** Ends when the whole file is sent; sends nothing if the file is large and no slot is free. */
  async function send(
    tx: Tx,
    { buyerKey, filter, fileName }: ExportInput,
    named: HttpResponse,
  ): Promise<'sent' | keyof typeof BUSY> {
    const { total, pages } = await readExport(tx, buyerKey, filter);
    // Before the headers are sent, so that an error here still gets its own response.
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
      const isUnderWay = (): boolean => reply.raw.headersSent;
      const outcome = await database.tx((tx) => send(tx, input, { reply, gzip }), { snapshot: true, isUnderWay });
      if (outcome !== 'sent') sendProblem(request, reply, BUSY[outcome]);
    } catch (error) {
      if (!reply.raw.headersSent) throw error;
      logAborted(request, error);
    }
    return reply;
  };
}

/** The response to HEAD: the headers of the file alone. */
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

/** Any failure cuts the connection, so that an incomplete file does not look complete. */
async function write(
  csv: AsyncGenerator<string, void, undefined>,
  named: NamedResponse,
  limits: ExportLimits,
): Promise<void> {
  const response = begin(named);
  const giveUp = (): void => void response.destroy();
  const timeout = setTimeout(giveUp, limits.totalTimeoutMs);
  const chunks = withTimeout(csv, { giveUp, chunkTimeoutMs: limits.chunkTimeoutMs });
  try {
    await (named.gzip ? pipeline(chunks, createGzip(GZIP), response) : pipeline(chunks, response));
  } finally {
    clearTimeout(timeout);
  }
}

/** Bypasses the framework, which would send an early error as a JSON document under the headers of the file. */
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

/** Limits the time per chunk: a client that stops reading, or reads very slowly, would hold the database connection for ever. */
async function* withTimeout(
  chunks: AsyncGenerator<string, void, undefined>,
  { giveUp, chunkTimeoutMs }: { readonly giveUp: () => void; readonly chunkTimeoutMs: number },
): AsyncGenerator<string, void, undefined> {
  for await (const chunk of chunks) {
    // Timers that keep the process alive would make V8 move every chunk to old memory; the server keeps the process alive anyway.
    const timeout = setTimeout(giveUp, chunkTimeoutMs).unref();
    try {
      yield chunk;
    } finally {
      clearTimeout(timeout);
    }
  }
}

/** A client that hung up is no error. */
function logAborted({ log, routeOptions }: FastifyRequest, error: unknown): void {
  const hasHungUp = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_STREAM_');
  log[hasHungUp ? 'debug' : 'error']({ err: error, route: routeOptions.url }, 'answer broken off');
}
