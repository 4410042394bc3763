// GET /api/v1/supplier/openapi.json: the OpenAPI document of one supplier, with the fields of its verticals and its own names (contract 14.5).
import { Type } from 'typebox';

import type { Clock } from '../platform/clock.ts';
import type { App } from '../platform/http/app.ts';
import { principalOf } from '../platform/http/scope.ts';
import { callbackSummaries } from '../suppliers/callback.schema.ts';
import { makeSpecification, type SpecificationInput } from './make-specification.ts';
import { supplierOpenapi } from './supplier-openapi.rules.ts';

export type SupplierOpenapiDependencies = {
  readonly clock: Clock;
  readonly inputOf: (supplierKey: string) => Omit<SpecificationInput, 'origin'>;
};

const CALLBACKS: ReadonlySet<string> = new Set(Object.keys(callbackSummaries));

const DocumentSchema = Type.Object(
  { openapi: Type.String({ examples: ['3.1.0'] }) },
  {
    additionalProperties: true,
    description: 'An OpenAPI 3.1 document. `LeadSubmission` has the members that you send, under your names.',
    examples: [
      { openapi: '3.1.0', info: { title: 'Lead Marketplace: API for Brightform', version: '1.0.0' }, paths: {} },
    ],
  },
);

export function registerSupplierOpenapi(scope: App, { clock, inputOf }: SupplierOpenapiDependencies): void {
  scope.get(
    '/api/v1/supplier/openapi.json',
    {
      schema: {
        operationId: 'getSupplierOpenapi',
        summary: 'Read your own OpenAPI document',
        description:
          'This document with what you can use: your operations and callbacks, and a lead in the form in which you send it, with the fields of your verticals.',
        tags: ['Supplier'],
        response: { 200: DocumentSchema },
      },
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const origin = `${request.protocol}://${request.host}`;
      const spec = makeSpecification({ ...inputOf(principalOf(request).ownerKey), origin }, clock.now());
      const document = scope.swagger() as unknown as Readonly<Record<string, unknown>>;
      return reply.send({ openapi: '3.1.0', ...supplierOpenapi(document, spec, CALLBACKS) });
    },
  );
}
