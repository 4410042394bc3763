// Streams a partner's deliveries as a CSV file of any length, for the public API and the portal.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { readOwnColumns } from '../../buyers/own-columns.ts';
import type { Database, Tx } from '../../platform/database/database.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { type CsvResponse, logAborted, type StreamLimits, streamCsv } from '../../platform/http/stream-csv.ts';
import { csvHeader } from './export-csv.rules.ts';
import { exportLines } from './export-line.rules.ts';
import { EXPORT_BUSY, type ExportSlots } from './export-slots.ts';
import { type ExportFilter, type ExportPage, readExport } from './read-export.ts';

export type ExportInput = {
  readonly buyerKey: string;
  readonly filter: ExportFilter;
  /** Given the number of deliveries in the file. */
  readonly fileName: (total: number) => string;
};

/** Always sends a response, also on failure. */
export type SendExport = (request: FastifyRequest, reply: FastifyReply, input: ExportInput) => Promise<FastifyReply>;

type SendExportOptions = {
  readonly database: Database;
  /** Shared by all routes that export. */
  readonly slots: ExportSlots;
  readonly limits?: StreamLimits | undefined;
};

export function makeSendExport({ database, slots, limits }: SendExportOptions): SendExport {
  /** Ends when the whole file is sent; sends nothing if the file is large and no slot is free. */
  async function send(
    tx: Tx,
    { buyerKey, filter, fileName }: ExportInput,
    response: Pick<CsvResponse, 'request' | 'reply'>,
  ): Promise<'sent' | keyof typeof EXPORT_BUSY> {
    const ownColumns = await readOwnColumns(tx, buyerKey);
    const { total, pages } = await readExport(tx, buyerKey, filter);
    // Before the headers are sent, so that an error here still gets its own response.
    const first = await pages.next();
    const isLarge = first.done !== true && !first.value.isLast;
    const slot = isLarge ? slots.take(buyerKey) : null;
    if (slot === 'partner_busy' || slot === 'all_busy') return slot;
    try {
      await streamCsv({ ...response, fileName: fileName(total) }, csvOf(first, pages, ownColumns), limits);
      return 'sent';
    } finally {
      if (slot === 'taken') slots.release(buyerKey);
    }
  }

  return async (request, reply, input) => {
    try {
      const isUnderWay = (): boolean => reply.raw.headersSent;
      const outcome = await database.tx((tx) => send(tx, input, { request, reply }), { snapshot: true, isUnderWay });
      if (outcome !== 'sent') sendProblem(request, reply, EXPORT_BUSY[outcome]);
    } catch (error) {
      if (!reply.raw.headersSent) throw error;
      logAborted(request, error);
    }
    return reply;
  };
}

type Pages = AsyncGenerator<ExportPage, void, undefined>;

async function* csvOf(
  first: Awaited<ReturnType<Pages['next']>>,
  rest: Pages,
  ownColumns: readonly string[],
): AsyncGenerator<string, void, undefined> {
  yield csvHeader(ownColumns);
  if (first.done === true) return;
  yield exportLines(first.value.rows, ownColumns);
  for await (const { rows } of rest) yield exportLines(rows, ownColumns);
}
