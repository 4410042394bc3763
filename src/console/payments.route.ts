// Imports the payments of a bank's CSV file on the operator's console, or previews the import, line by line (contract 7.11).
import { Readable } from 'node:stream';

import { requestAuthor } from '../audit/request-author.ts';
import { readNamedColumns } from '../imports/bank-columns.rules.ts';
import { importPayments, type PaymentsRun } from '../imports/import-payments.job.ts';
import {
  countsView,
  faultyLine,
  noPayments,
  paymentLine,
  withFault,
  withPayment,
} from '../imports/payment-view.rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type Progress, progressStream } from '../platform/http/progress.ts';
import { inSlices } from '../platform/time-slices.ts';
import { type ImportLine, ImportPaymentsBody, PAYMENT_FILE_BYTES } from './payments.schema.ts';

export type ConsolePaymentsDependencies = { readonly database: Database; readonly clock: Clock };

/** Each payment has its own transaction and is posted once, so that an interrupted import is repeated with the same file. */
export function registerConsolePayments(scope: App, { database, clock }: ConsolePaymentsDependencies): void {
  const stream = progressStream<ImportLine>();
  scope.post(
    '/api/payments/import',
    // JSON of the text may need more bytes than the text.
    { config: { permission: 'money' }, bodyLimit: 2 * PAYMENT_FILE_BYTES, schema: { body: ImportPaymentsBody } },
    async (request, reply) => {
      const { text, columns, dates: dayOrder = null, dryRun } = request.body;
      const named = columns === undefined ? {} : readNamedColumns(columns);
      if (typeof named === 'string') {
        const errors = [{ field: 'columns', code: 'invalid', message: named }];
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
      }
      const bytes = Buffer.from(text);
      const open = (): Readable => Readable.from(piecesOf(bytes));
      const run: PaymentsRun = {
        database,
        clock,
        open,
        named,
        dayOrder,
        dryRun,
        rest: inSlices(),
        ...requestAuthor(request),
      };
      return stream(request, reply, (progress) => reportAll(run, progress));
    },
  );
}

/** The parser takes a piece at once. */
const PIECE_BYTES = 16 * 1024;

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

async function reportAll(run: PaymentsRun, { report, isStopping }: Progress<ImportLine>): Promise<void> {
  let counts = noPayments;
  let isWhole = true;
  for await (const read of importPayments(run)) {
    counts = read.ok ? withPayment(counts, read.value) : withFault(counts);
    report({ kind: 'line', ...(read.ok ? paymentLine(read.value) : faultyLine(read.faults)) });
    if (!isStopping()) continue;
    isWhole = false;
    break;
  }
  const { lines, paid, differs, known, outgoing, faulty, posted } = countsView(counts);
  report({ kind: 'end', isWhole, lines, paid, differs, known, outgoing, faulty, posted });
}
