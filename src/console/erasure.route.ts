// Erasure in the operator's console: finds a person's leads, lists the stored data, and erases one lead per request (decision 021).
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { requestAuthor } from '../audit/request-author.ts';
import { timeOfId } from '../base/id-time.ts';
import { type DeliveryId, type LeadId, typeId, uuidOf } from '../base/ids.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { deliveryRef, type EventType, type DeliveryStatus } from '../deliveries/delivery.ts';
import { findLeadOfDelivery } from '../deliveries/find-sales.ts';
import { findContactLeads } from '../leads/find-contact-leads.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Contact } from '../leads/contact-query.rules.ts';
import { readContactConsents } from '../leads/consents.ts';
import { readLead } from '../leads/read-lead.ts';
import { readPersonPepper, readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import { resemblesEmail } from '../platform/contact/email.rules.ts';
import { readWrittenPhone } from '../platform/contact/written-phone.rules.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import type { App } from '../platform/http/app.ts';
import {
  type HttpResponse,
  jsonResponse,
  problemResponse,
  runIdempotent,
  sendResponse,
} from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type FieldFault, NOT_FOUND } from '../platform/http/request-fault.ts';
import {
  EraseBody,
  EraseParams,
  type Erased,
  ErasedSchema,
  type ErasureSearch,
  type Found,
  FoundSchema,
  SearchBody,
  StoredBody,
  type StoredLead,
  StoredSchema,
} from './erasure.schema.ts';
import { type ErasedLead, eraseDataSubjects } from '../privacy/erase-data-subjects.ts';
import { readStoredLeads, type StoredData } from '../privacy/stored-data.ts';

export type ConsoleErasureDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'name'> | null;
  readonly supplierOf: (supplierKey: string) => { readonly config: { readonly name: string } } | null;
};

type Names = Pick<ConsoleErasureDependencies, 'buyerOf' | 'supplierOf'>;

export function registerConsoleErasure(scope: App, dependencies: ConsoleErasureDependencies): void {
  registerSearch(scope, dependencies);
  registerStored(scope, dependencies);
  registerErase(scope, dependencies);
}

type Input = { readonly leadOf: string } | { readonly contact: Contact; readonly after: LeadId | null };

/** Scans part of all leads per request, because personal data is not indexed; the caller continues with `after`. */
function registerSearch(scope: App, { database }: ConsoleErasureDependencies): void {
  scope.post(
    '/api/erasure/search',
    {
      config: { permission: 'persons', reveals: 'search' },
      schema: { body: SearchBody, response: { 200: FoundSchema } },
    },
    async (request, reply) => {
      const read = readSearch(request.body);
      if (!read.ok) {
        return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors: [read.fault] });
      }
      const { input } = read;
      return reply.send(
        await database.tx((tx) => ('leadOf' in input ? findOne(tx, input.leadOf) : findPart(tx, input))),
      );
    },
  );
}

type SearchRead = { readonly ok: true; readonly input: Input } | { readonly ok: false; readonly fault: FieldFault };

function readSearch({ id, email, phone, after }: ErasureSearch): SearchRead {
  const fault = (field: string, message: string): SearchRead => {
    return { ok: false, fault: { field, code: 'invalid_format', message } };
  };
  if (id !== undefined) return { ok: true, input: { leadOf: id } };
  if (email === undefined && phone === undefined) return fault('id', 'give an id, an email address or a phone number');
  const number = phone === undefined ? null : (readWrittenPhone(phone)?.number ?? null);
  if (email !== undefined && !resemblesEmail(email.trim())) return fault('email', 'must be an email address');
  if (phone !== undefined && number === null)
    return fault('phone', 'must be a whole phone number, such as (312) 554-0166 or +44 20 7946 0958');
  const start = after === undefined ? null : uuidOf('lead', after);
  if (after !== undefined && start === null) return fault('after', 'must be the `next` of a response');
  return { ok: true, input: { contact: { email: email?.trim() ?? null, phone: number }, after: start } };
}

async function findOne(tx: Tx, id: string): Promise<Found> {
  const deliveryId = uuidOf('delivery', id.trim());
  const leadId = deliveryId === null ? uuidOf('lead', id.trim()) : await findLeadOfDelivery(tx, deliveryId);
  const lead = leadId === null ? null : await readLead(tx, leadId);
  const found = lead === null ? [] : [typeId('lead', lead.leadId)];
  return { found, next: null, lookedUntil: null, erasedBefore: null };
}

async function findPart(
  tx: Tx,
  { contact, after }: { readonly contact: Contact; readonly after: LeadId | null },
): Promise<Found> {
  const pepper = await readPersonPepper(tx);
  const { found, next } = await findContactLeads(tx, { contact, after });
  return {
    found: found.map((leadId) => typeId('lead', leadId)),
    next: next === null ? null : typeId('lead', next),
    lookedUntil: next === null ? null : timeOfId(next).toISOString(),
    erasedBefore: after === null ? (await readContactConsents(tx, { pepper, contact })).length : null,
  };
}

function registerStored(scope: App, { database, ...names }: ConsoleErasureDependencies): void {
  scope.post(
    '/api/erasure/stored',
    {
      config: { permission: 'persons', reveals: 'record' },
      schema: { body: StoredBody, response: { 200: StoredSchema } },
    },
    async (request, reply) => {
      const leadIds = request.body.leadIds.map((id) => uuidOf('lead', id)).filter((id) => id !== null);
      const { consentYears, storedLeads } = await database.tx(
        async (tx) => ({
          consentYears: (await readSettings(tx)).settings.retention.consentYears,
          storedLeads: await readStoredLeads(tx, leadIds),
        }),
        { snapshot: true },
      );
      return reply.send({ consentYears, data: storedLeads.map((person) => storedView(person, names)) });
    },
  );
}

/** Erasing is idempotent; each lead has a transaction of its own. */
function registerErase(scope: App, { database, clock, ...names }: ConsoleErasureDependencies): void {
  scope.post(
    '/api/erasure/leads/:leadId',
    {
      config: { permission: 'persons' },
      attachValidation: true,
      schema: { params: EraseParams, body: EraseBody, response: { 200: ErasedSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const leadId = uuidOf('lead', request.params.leadId);
      const { actor, origin } = requestAuthor(request);
      const work = async (tx: Tx): Promise<HttpResponse> => {
        const reason = request.body.reason?.trim() ?? '';
        const audit = { actor, origin, reason: reason === '' ? null : maskSecrets(reason) };
        const [erased] = leadId === null ? [] : await eraseDataSubjects(tx, { leadIds: [leadId], audit }, now);
        return erased === undefined
          ? problemResponse(request, reply, NOT_FOUND)
          : jsonResponse(200, erasedView(erased, names));
      };
      // Workers lock the same rows, so the database may abort this transaction as a deadlock victim.
      const outcome = await repeatTransient(() => runIdempotent({ ...{ database, request, reply, now }, work }));
      return outcome.ok ? sendResponse(reply, outcome) : sendProblem(request, reply, outcome.refusal);
    },
  );
}

function storedView(person: StoredData, names: Names): StoredLead {
  const { deliveries, supplierKey } = person;
  const sum = (of: (delivery: StoredData['deliveries'][number]) => number): number =>
    deliveries.reduce((total, delivery) => total + of(delivery), 0);
  return {
    leadId: typeId('lead', person.leadId),
    supplier: supplierKey,
    supplierName: names.supplierOf(supplierKey)?.config.name ?? supplierKey,
    isTest: person.isTest,
    state: person.state,
    receivedAt: person.receivedAt.toISOString(),
    erasedAt: person.erasedAt?.toISOString() ?? null,
    person: person.fields === null ? null : personView(person.fields),
    hasBody: person.hasBody,
    consentStoredAt: person.consentStoredAt?.toISOString() ?? null,
    deliveries: deliveries.map((delivery) => deliveryView(delivery, names)),
    attempts: sum(({ attempts }) => attempts),
    claims: sum(({ claims }) => claims),
  };
}

/** The fields that identify the requester, and the number of other fields that have a value. */
function personView({ extra, ...fields }: LeadFields) {
  const { fullName, email, phone } = fields;
  const filled = Object.values(fields).filter((value) => value !== null).length + Object.keys(extra).length;
  return { fullName, email, phone, fields: filled };
}

function erasedView({ leadId, supplierKey, isRepeat, deliveries }: ErasedLead, names: Names): Erased {
  return {
    leadId: typeId('lead', leadId),
    supplier: supplierKey,
    supplierName: names.supplierOf(supplierKey)?.config.name ?? supplierKey,
    erasedBefore: isRepeat,
    deliveries: deliveries.map((delivery) => deliveryView(delivery, names)),
  };
}

type Delivery = {
  readonly deliveryId: DeliveryId;
  readonly eventType: EventType;
  readonly refNumber: number;
  readonly buyerKey: string;
  readonly status: DeliveryStatus;
};

function deliveryView({ deliveryId, eventType, refNumber, buyerKey, status }: Delivery, { buyerOf }: Names) {
  return {
    deliveryId: typeId('delivery', deliveryId),
    deliveryRef: deliveryRef(eventType, refNumber),
    partner: buyerKey,
    partnerName: buyerOf(buyerKey)?.name ?? buyerKey,
    status,
  };
}
