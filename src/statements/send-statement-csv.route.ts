// Streams the lines of a statement as a CSV file of any length, for the public API, the portal and the console.
import type { FastifyReply, FastifyRequest } from 'fastify';

import { EXPORT_BUSY, type ExportSlots } from '../deliveries/export/export-slots.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { logAborted, sendCsvHeaders, streamCsv } from '../platform/http/stream-csv.ts';
import { statementCsv } from './read-statement-lines.ts';
import type { SupplierStatement } from './statement.ts';

type Dependencies = {
  readonly database: Database;
  /** Shared by all routes that export. */
  readonly slots: ExportSlots;
  /** Null if there is no such statement, or if it is another supplier's. */
  readonly find: (tx: Tx) => Promise<SupplierStatement | null>;
};

// As many lines as one page of an export has; fewer do not need a slot.
const LARGE = 100;

/** Always sends a response, also on failure. */
export async function sendStatementCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, slots, find }: Dependencies,
): Promise<FastifyReply> {
  const send = async (tx: Tx): Promise<'sent' | 'unknown' | keyof typeof EXPORT_BUSY> => {
    const statement = await find(tx);
    if (statement === null) return 'unknown';
    const named = { request, reply, fileName: `${statement.number}.csv` };
    if (request.method === 'HEAD') {
      sendCsvHeaders(named);
      return 'sent';
    }
    const owner = `supplier:${statement.supplierKey}`;
    const isLarge = statement.upToVersion - statement.fromVersion >= LARGE;
    const slot = isLarge ? slots.take(owner) : null;
    if (slot === 'partner_busy' || slot === 'all_busy') return slot;
    try {
      await streamCsv(named, statementCsv(tx, statement));
      return 'sent';
    } finally {
      if (slot === 'taken') slots.release(owner);
    }
  };
  try {
    const outcome = await database.tx(send, { snapshot: true, isUnderWay: () => reply.raw.headersSent });
    if (outcome === 'unknown') sendProblem(request, reply, NOT_FOUND);
    else if (outcome !== 'sent') sendProblem(request, reply, EXPORT_BUSY[outcome]);
  } catch (error) {
    if (!reply.raw.headersSent) throw error;
    logAborted(request, error);
  }
  return reply;
}
