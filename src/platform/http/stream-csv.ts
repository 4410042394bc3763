// Streams a CSV file of any length as a response, with gzip if the client accepts it, and with time limits for slow clients.
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { wantsGzip } from './accept-encoding.rules.ts';

export type StreamLimits = {
  /** How long a client may take for one page. */
  readonly chunkTimeoutMs: number;
  /** How long the whole file may take: until it ends, the database cannot remove rows that its snapshot sees. */
  readonly totalTimeoutMs: number;
};

const STREAM_LIMITS: StreamLimits = { chunkTimeoutMs: 30_000, totalTimeoutMs: 15 * 60_000 };
// Half the work of the default level, for a file a few percent larger.
const GZIP = { level: constants.Z_BEST_SPEED + 2 };

export type CsvResponse = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly fileName: string;
};

/** Any failure cuts the connection, so that an incomplete file does not look complete. */
export async function streamCsv(
  named: CsvResponse,
  csv: AsyncGenerator<string, void, undefined>,
  limits: StreamLimits = STREAM_LIMITS,
): Promise<void> {
  const gzip = wantsGzip(named.request.raw.headers['accept-encoding']);
  const response = begin(named, gzip);
  const giveUp = (): void => void response.destroy();
  const timeout = setTimeout(giveUp, limits.totalTimeoutMs);
  const file = isForExcel(named.request) ? marked(csv) : csv;
  const chunks = withTimeout(file, { giveUp, chunkTimeoutMs: limits.chunkTimeoutMs });
  try {
    await (gzip ? pipeline(chunks, createGzip(GZIP), response) : pipeline(chunks, response));
  } finally {
    clearTimeout(timeout);
  }
}

/** Only Excel needs it; it would be a part of the first column's name for programs. */
export const BYTE_ORDER_MARK = '\ufeff';

/** By `csvFileQuery`, which the route declares. */
export function isForExcel({ query }: Pick<FastifyRequest, 'query'>): boolean {
  return (query as { readonly for?: unknown }).for === 'excel';
}

async function* marked(csv: AsyncGenerator<string, void, undefined>): AsyncGenerator<string, void, undefined> {
  yield BYTE_ORDER_MARK;
  yield* csv;
}

/** The response to HEAD: the headers of the file alone. */
export function sendCsvHeaders(named: CsvResponse): FastifyReply {
  begin(named, wantsGzip(named.request.raw.headers['accept-encoding'])).end();
  return named.reply;
}

/** Logs a stream that broke off after its headers were sent. A client that hung up is no error. */
export function logAborted({ log, routeOptions }: FastifyRequest, error: unknown): void {
  const hasHungUp = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_STREAM_');
  log[hasHungUp ? 'debug' : 'error']({ err: error, route: routeOptions.url }, 'answer broken off');
}

/** Bypasses the framework, which would send an early error as a JSON document under the headers of the file. */
function begin({ reply, fileName }: CsvResponse, gzip: boolean): ServerResponse {
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
