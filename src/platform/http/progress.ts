// Work that takes long tells how far it is: one JSON document per line, while it happens. For the pages of our own people only.
import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { refusalOf } from './error-response.ts';
import { describeProblem, sendProblem } from './problem.ts';
import type { Refusal } from './request-fault.ts';

type AnyLine = { readonly kind: string };

export type Progress<Line extends AnyLine> = {
  /** Sends a line; a client that has gone away misses it, and the work goes on. */
  readonly report: (line: Line) => void;
  /** Whether the process is about to end: work in parts stops between two of them. */
  readonly isStopping: () => boolean;
};

/** Shorter than what proxies take for a dead line. */
const BEAT_MS = 5000;

const RUNNING: Refusal = { status: 409, code: 'already_running' };

/**
 * Answers with the lines that the work tells. A fault ends them with a line of the kind `problem`, which is a problem document; what ends without one
 * or an `end` of the work's own was cut off. `kind: beat` lines mean nothing. Of one lane at most one work runs in this process.
 */
export type Lane<Line extends AnyLine> = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (progress: Progress<Line>) => Promise<void>,
) => FastifyReply;

export function progressStream<Line extends AnyLine>(): Lane<Line> {
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
    // A proxy that gathers an answer before it passes it on would make a surprise of the progress.
    reply.header('content-type', 'application/x-ndjson; charset=utf-8').header('x-accel-buffering', 'no');
    return reply.send(lines);
  };
}
