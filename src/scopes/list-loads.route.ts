// The routes that load a list in parts, which console, operator's API and portal share (contract 15.4).
import type { FastifyRequest } from 'fastify';

import { newFindings } from '../imports/findings.ts';
import { pacedSource, PIECE_BYTES, piecesOf } from '../imports/paced-source.ts';
import { readListRows } from '../imports/read-list-rows.ts';
import { countRecentMatches } from '../imports/recent-matches.ts';
import { readExpiry } from '../lists/list-part.rules.ts';
import { loadForm } from '../lists/list-view.rules.ts';
import type { List, ListLoad, NewEntry, RecentMatches } from '../lists/list.ts';
import { addPart, beginLoad, discardLoad, finishLoad } from '../lists/load-list.ts';
import { readLoad } from '../lists/read-lists.ts';
import type { Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { inSlices } from '../platform/time-slices.ts';
import {
  ERRORS_SHOWN,
  findList,
  type ListRoutes,
  malformed,
  malformedError,
  NO_CONFIGS,
  onList,
} from './list-exchange.ts';
import {
  BeginLoadBody,
  FinishLoadBody,
  ListParams,
  LoadParams,
  LoadPartBody,
  LoadSchema,
  PART_LENGTH_MAX,
} from './lists.schema.ts';

/** JSON of the text may need more bytes than the text. */
const PART_BYTES = 3 * PART_LENGTH_MAX;

export function registerListLoads(scope: App, routes: ListRoutes): void {
  registerBeginning(scope, routes);
  registerParts(scope, routes);
  registerEnds(scope, routes);
}

function registerBeginning(scope: App, routes: ListRoutes): void {
  const { path, clock, authorOf, configs = NO_CONFIGS } = routes;
  scope.post(
    `${path}/:listId/loads`,
    {
      config: configs.change,
      attachValidation: true,
      schema: { params: ListParams, body: BeginLoadBody, response: { 201: LoadSchema } },
    },
    async (request, reply) =>
      onList(routes, { request, reply }, async (tx, list) => {
        const { mode, hashed = false, skipInvalid = false, expires = null } = request.body;
        const expiresAt = expires === null ? null : readExpiry(expires);
        if (expires !== null && expiresAt === null) {
          return problemResponse(
            request,
            reply,
            malformed('expires', 'must be a time such as 2027-11-20T15:04:05Z, or a day'),
          );
        }
        const options = { mode, hashed, skipInvalid, expiresAt };
        const begun = await beginLoad(tx, { list, options, author: authorOf(request) }, clock.now());
        return begun.ok ? jsonResponse(201, loadForm(begun.value)) : problemResponse(request, reply, NOT_FOUND);
      }),
  );
}

function registerParts(scope: App, routes: ListRoutes): void {
  const { path, database, clock, ownerOf, parts, configs = NO_CONFIGS } = routes;
  scope.post(
    `${path}/:listId/loads/:loadId/parts`,
    {
      config: configs.change,
      bodyLimit: PART_BYTES,
      attachValidation: true,
      schema: { params: LoadParams, body: LoadPartBody, response: { 200: LoadSchema } },
    },
    async (request, reply) => {
      const respond = (read: Part | null) =>
        onList(routes, { request, reply }, async (tx, list) => {
          const load = await findLoad(tx, list, request.params.loadId);
          if (load === null || read === null) return problemResponse(request, reply, NOT_FOUND);
          const { loadId } = load;
          if (read.refusal !== null) return problemResponse(request, reply, read.refusal);
          const part = { number: request.body.number, entries: read.entries, rejected: read.rejected };
          const added = await addPart(tx, { list, loadId, part }, clock.now());
          if (added.ok) return jsonResponse(200, loadForm(added.value));
          return problemResponse(request, reply, conflict(added.code, added.detail));
        });
      // The response to an invalid body is made before anything is read.
      if ((request.validationError ?? null) !== null) return respond(null);
      const { rows } = request.body;
      const owner = ownerOf(request);
      const sent = { buyerKey: typeof owner === 'string' ? null : owner.buyerKey, characters: rows.length };
      const outcome = parts.run(sent, async () => {
        // The part is read outside of a transaction, because a long one holds a connection and its locks.
        const found = await database.tx(async (tx) => {
          const list = await findList(tx, request.params.listId, owner);
          const load = list === null ? null : await findLoad(tx, list, request.params.loadId);
          return list === null || load === null ? null : { list, load };
        });
        return respond(found === null ? null : await readPart(rows, found.list, found.load));
      });
      return outcome instanceof Promise ? outcome : sendProblem(request, reply, outcome);
    },
  );
}

function registerEnds(scope: App, routes: ListRoutes): void {
  const { path, clock, authorOf, configs = NO_CONFIGS } = routes;
  scope.post(
    `${path}/:listId/loads/:loadId/finish`,
    {
      config: configs.change,
      attachValidation: true,
      schema: { params: LoadParams, body: FinishLoadBody, response: { 200: LoadSchema } },
    },
    async (request, reply) => {
      const recent = (request.validationError ?? null) === null ? await countRecent(routes, request) : null;
      return onList(routes, { request, reply }, async (tx, list) => {
        const load = await findLoad(tx, list, request.params.loadId);
        if (load === null) return problemResponse(request, reply, NOT_FOUND);
        const finish = { list, loadId: load.loadId, parts: request.body.parts, author: authorOf(request), recent };
        const finished = await finishLoad(tx, finish, clock.now());
        if (finished.ok) return jsonResponse(200, loadForm(finished.value));
        return problemResponse(request, reply, conflict(finished.code, finished.detail));
      });
    },
  );
  scope.post(
    `${path}/:listId/loads/:loadId/discard`,
    {
      config: { ...configs.change, emptyBody: true },
      attachValidation: true,
      schema: { params: LoadParams, response: { 200: LoadSchema } },
    },
    async (request, reply) =>
      onList(routes, { request, reply }, async (tx, list) => {
        const load = await findLoad(tx, list, request.params.loadId);
        if (load === null) return problemResponse(request, reply, NOT_FOUND);
        const discarded = await discardLoad(tx, load.loadId, clock.now());
        return jsonResponse(200, loadForm(discarded ?? load));
      }),
  );
}

/** Outside of the transaction that ends the load, because it takes some tenths of a second. Null for a load that has ended. */
async function countRecent(
  { database, clock, ownerOf }: ListRoutes,
  request: FastifyRequest<{ Params: { listId: string; loadId: string } }>,
): Promise<RecentMatches | null> {
  const { listId, loadId } = request.params;
  const found = await database.tx(async (tx) => {
    const list = await findList(tx, listId, ownerOf(request));
    const load = list === null ? null : await findLoad(tx, list, loadId);
    return list === null || load?.state !== 'loading' ? null : { list, load };
  });
  if (found === null) return null;
  const counting = { database, list: found.list, loadId: found.load.loadId, now: clock.now(), rest: inSlices() };
  return countRecentMatches(counting);
}

type Part = { readonly entries: NewEntry[]; readonly rejected: number; readonly refusal: Refusal | null };

async function readPart(rows: string, { kind }: List, { hashed, expiresAt, skipInvalid }: ListLoad): Promise<Part> {
  const findings = newFindings();
  const entries: NewEntry[] = [];
  const pieces = piecesOf(Buffer.from(rows));
  // A piece is far longer than a row of a list.
  if (pieces.some((piece) => piece.length === PIECE_BYTES && !piece.includes('\n'))) {
    return { entries: [], rejected: 0, refusal: malformed('rows', `has a row of more than ${PIECE_BYTES} bytes`) };
  }
  const rest = inSlices();
  const source = pacedSource(pieces, rest);
  for await (const some of readListRows(source, { kind, hashed, expiresAt }, findings, rest)) entries.push(...some);
  const { rejected, faultsOfFile, kept } = findings;
  if (faultsOfFile === 0 && (rejected === 0 || skipInvalid)) return { entries, rejected, refusal: null };
  const errors = kept
    .slice(0, ERRORS_SHOWN)
    .map(({ line, column, message }) => malformedError('rows', `line ${line}, cell ${column}: ${message}`));
  return { entries: [], rejected, refusal: { status: 422, code: 'validation_failed', errors } };
}

/** The largest number that the column holds. */
const LOAD_ID_MAX = 2_147_483_647;

async function findLoad(tx: Tx, { listId }: List, id: string): Promise<ListLoad | null> {
  const loadId = /^[1-9]\d{0,9}$/.test(id) ? Number(id) : Infinity;
  return loadId > LOAD_ID_MAX ? null : readLoad(tx, listId, loadId);
}

function conflict(code: 'load_not_open' | 'part_out_of_order' | 'list_too_large', detail?: string): Refusal {
  return { status: 409, code, ...(detail === undefined ? {} : { detail }) };
}
