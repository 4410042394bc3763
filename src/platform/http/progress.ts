// Streams the progress of long work to the console: one JSON document per line.
import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { refusalOf } from './error-response.ts';
import { describeProblem, sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';

type AnyLine = { readonly kind: string };

export type Progress<Line extends AnyLine> = {
  /** Sends a line. The work continues when the client has disconnected. */
  readonly report: (line: Line) => void;
  /** Whether the process is stopping: work in parts then ends between two parts. */
  readonly isStopping: () => boolean;
};

/** Shorter than the idle limits of proxies. */
const BEAT_MS = 5000;

const RUNNING: Refusal = { status: 409, code: 'already_running' };

/**
 * Responds with the lines that the work reports. An error ends them with a line of the kind `problem`, which is a problem document; a stream
 * without one, or without an `end` line of the work, was cut off. `kind: beat` lines only keep the connection open. Runs at most one work at
 * a time in this process.
 */
export type ProgressStream<Line extends AnyLine> = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (progress: Progress<Line>) => Promise<void>,
) => FastifyReply;

export function progressStream<Line extends AnyLine>(): ProgressStream<Line> {
  let isBusy = false;
  return (request, reply, work) => {
    if (isBusy) return sendProblem(request, reply, RUNNING);
    isBusy = true;
    const lines = new Readable({ read: () => undefined });
    const report = (line: AnyLine): void => {
      if (!lines.destroyed) lines.push(`${JSON.stringify(line)}\n`);
    };
    const beat = setInterval(() => report({ kind: 'beat' }), BEAT_MS);
    const isStopping = (): boolean => request.server.lifecycle.draining;
    void work({ report, isStopping })
      .catch((error: unknown) => {
        const refusal = refusalOf(error);
        if (refusal.status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, refusal.code);
        report({ kind: 'problem', ...describeProblem(refusal, request.id) });
      })
      .finally(() => {
        isBusy = false;
        clearInterval(beat);
        if (!lines.destroyed) lines.push(null);
      });
    // The second header keeps proxies from buffering the whole response.
    reply.header('content-type', 'application/x-ndjson; charset=utf-8').header('x-accel-buffering', 'no');
    return reply.send(lines);
  };
}
