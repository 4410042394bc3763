// Streams a list as CSV: the rows that its page shows, with the same filters, search and order, and the chosen columns. Each page comes from the
// list's own route in this process, so that what the reader may see, what is masked and what is recorded is decided in one place (decision 080).
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { EXPORT_BUSY, type ExportSlots } from '../deliveries/export/export-slots.ts';
import type { Clock } from '../platform/clock.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import { logAborted, streamCsv } from '../platform/http/stream-csv.ts';
import { chosenColumns, type ExportedList, headerLine, line, type ListPage, nextQuery } from './list-export.rules.ts';
import { ListExportParams, ListExportQuerySchema } from './list-export.schema.ts';

type ListExportOptions = {
  /** Such as /api/exports/:list. */
  readonly path: string;
  readonly permission?: 'read';
  /** By the name in the path. */
  readonly lists: Readonly<Record<string, ExportedList>>;
  readonly clock: Clock;
  readonly slots: ExportSlots;
};

export function registerListExport(scope: App, { path, permission, lists, clock, slots }: ListExportOptions): void {
  scope.get(
    path,
    {
      ...(permission === undefined ? {} : { config: { permission } }),
      schema: { params: ListExportParams, querystring: ListExportQuerySchema },
    },
    async (request, reply) => {
      const { list: name } = request.params;
      const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
      if (list === undefined) return sendProblem(request, reply, NOT_FOUND);
      const { query = '', columns, ids } = request.query;
      const chosen = {
        list,
        columns: chosenColumns(list, columns),
        ids: ids === undefined ? null : new Set(ids.split(',')),
      };
      const first = firstQuery(list, query, chosen.ids !== null);
      const page = await readPage(scope, request, { list, query: first });
      if (page.status !== 200) return forward(reply, page);
      const owner = `list:${scope.scopeName ?? ''}:${principalOf(request).ownerKey}`;
      const slot = slots.take(owner);
      if (slot !== 'taken') return sendProblem(request, reply, EXPORT_BUSY[slot]);
      try {
        const fileName = `${name}_${clock.now().toISOString().slice(0, 10)}.csv`;
        const next = (following: URLSearchParams) => readPage(scope, request, { list, query: following });
        await streamCsv({ request, reply, fileName }, linesOf(chosen, { query: first, body: page.body }, next));
      } catch (error) {
        if (!reply.raw.headersSent) throw error;
        logAborted(request, error);
      } finally {
        slots.release(owner);
      }
      return reply;
    },
  );
}

/** From the first page on; selected rows are on the page that is shown, or have moved to a later one. */
function firstQuery(list: ExportedList, text: string, isSelection: boolean): URLSearchParams {
  const query = new URLSearchParams(text);
  if (isSelection) return query;
  query.delete('page');
  if (list.cursor !== null) query.delete(list.cursor);
  for (const [parameter, value] of Object.entries(list.largePage)) query.set(parameter, value);
  return query;
}

type Chosen = {
  readonly list: ExportedList;
  readonly columns: readonly string[];
  readonly ids: ReadonlySet<string> | null;
};
type Response = { readonly status: number; readonly body: string; readonly retryAfter: number };

/** A list that grows meanwhile moves rows to later pages: each row is written once. */
async function* linesOf(
  { list, columns, ids }: Chosen,
  first: { readonly query: URLSearchParams; readonly body: string },
  read: (query: URLSearchParams) => Promise<Response>,
): AsyncGenerator<string, void, undefined> {
  yield headerLine(list, columns);
  const written = new Set<string>();
  let query: URLSearchParams | null = first.query;
  let page: ListPage = list.pageOf(JSON.parse(first.body));
  for (let pages = 1; ; pages += 1) {
    let text = '';
    for (const row of page.data) {
      const id = list.idOf(row);
      if (written.has(id) || ids?.has(id) === false) continue;
      written.add(id);
      text += line(list.cellsOf(row, columns));
    }
    if (text !== '') yield text;
    query = written.size === ids?.size ? null : nextQuery(list, query, page);
    if (query === null) return;
    page = list.pageOf(JSON.parse(await nextBody(pages, () => read(query as URLSearchParams))));
  }
}

/** Pages that are read at once; the further ones leave most of the account's request rate to its own pages. */
const PAGES_AT_ONCE = 20;
const BETWEEN_PAGES_MS = 50;

async function nextBody(pages: number, read: () => Promise<Response>): Promise<string> {
  if (pages > PAGES_AT_ONCE) await sleep(BETWEEN_PAGES_MS);
  for (;;) {
    const { status, body, retryAfter } = await read();
    if (status === 200) return body;
    if (status !== 429) throw new Error(`a page of an exported list has status ${status}`);
    await sleep(Math.max(1, retryAfter) * 1000);
  }
}

/** Of the response to the outer request, or of the connection alone. */
const NOT_FORWARDED: readonly string[] = [
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'if-none-match',
];

async function readPage(
  scope: App,
  request: FastifyRequest,
  { list, query }: { readonly list: ExportedList; readonly query: URLSearchParams },
): Promise<Response> {
  const rest = new URLSearchParams(query);
  const path = list.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_FORWARDED.includes(name)));
  const { remoteAddress } = request.socket;
  const response = await scope.inject({
    ...{ method: 'GET', url: `${path}?${rest.toString()}`, headers },
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  const retryAfter = Number(response.headers['retry-after'] ?? 1);
  return { status: response.statusCode, body: response.body, retryAfter };
}

/** The list's own rejection, such as of a filter. */
function forward(reply: FastifyReply, { status, body }: Response): FastifyReply {
  return reply.code(status).type('application/problem+json').send(body);
}
