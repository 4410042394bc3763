// The posting specification of the supplier who is signed in: for the page, and as a file to hand on.
import type { FastifyRequest } from 'fastify';
import type { Regions } from '../../base/regions.ts';
import { Type } from 'typebox';

import type { Clock } from '../../platform/clock.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierConfig } from '../../suppliers/supplier.ts';
import { specificationMarkdown } from '../../specification/specification-markdown.rules.ts';
import { makeSpecification, type Specification } from '../../specification/make-specification.ts';

export type PortalSpecificationDependencies = {
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => SupplierConfig;
  readonly marketplaceName: () => string;
  readonly regions: () => Regions;
};

const Text = Type.String();
const MaybeText = Type.Union([Text, Type.Null()]);
const SamplesSchema = Type.Array(Type.Object({ language: Text, label: Text, code: Text }));

const SpecificationSchema = Type.Object({
  supplierKey: Text,
  name: Text,
  status: Text,
  marketplace: Text,
  generatedAt: Text,
  url: Text,
  headers: Type.Array(Type.Object({ name: Text, value: Text, meaning: Text })),
  rateLimit: Type.Object({ perSecond: Type.Number(), burst: Type.Number() }),
  bodyLimitKib: Type.Integer(),
  needed: Type.Array(Text),
  fields: Type.Array(
    Type.Object({
      field: Text,
      meaning: Text,
      type: Text,
      format: MaybeText,
      lengthMax: Type.Union([Type.Integer(), Type.Null()]),
      sample: MaybeText,
      names: Type.Array(Type.Object({ name: Text, treatment: MaybeText })),
      constant: MaybeText,
      faults: Type.Array(Text),
    }),
  ),
  isMapped: Type.Boolean(),
  example: Type.Union([Type.Object({ body: Text, isTest: Type.Boolean() }), Type.Null()]),
  samples: SamplesSchema,
  answers: Type.Array(
    Type.Object({
      status: Type.Integer(),
      code: MaybeText,
      when: Text,
      whatToDo: Text,
      repeat: Text,
      headers: Type.Array(Type.Object({ name: Text, value: Text })),
      body: Text,
    }),
  ),
  repeating: Type.Array(Text),
  callbacks: Type.Object({
    url: MaybeText,
    events: Type.Array(Type.Object({ type: Text, meaning: Text, isSent: Type.Boolean(), example: Text })),
    rules: Type.Array(Text),
    samples: SamplesSchema,
  }),
});

export function registerPortalSpecification(
  scope: App,
  { clock, supplierOf, marketplaceName, regions }: PortalSpecificationDependencies,
): void {
  const specificationFor = (request: FastifyRequest): Specification =>
    makeSpecification(
      {
        supplier: supplierOf(principalOf(request).ownerKey),
        origin: `${request.protocol}://${request.host}`,
        marketplace: marketplaceName(),
        regions: regions(),
      },
      clock.now(),
    );
  scope.get(
    '/api/supplier/specification',
    { schema: { response: { 200: SpecificationSchema } } },
    async (request, reply) => {
      const specification = specificationFor(request);
      return reply.send({
        ...specification,
        fields: specification.fields.map((field) => ({
          ...field,
          constant: field.constant === null ? null : JSON.stringify(field.constant),
        })),
        answers: specification.answers.map((answer) => ({ ...answer, body: JSON.stringify(answer.body, null, 2) })),
      });
    },
  );
  scope.get('/api/supplier/specification.md', (request, reply) => {
    const specification = specificationFor(request);
    return reply
      .header('content-type', 'text/markdown; charset=utf-8')
      .header('content-disposition', `attachment; filename="posting-specification-${specification.supplierKey}.md"`)
      .send(Buffer.from(specificationMarkdown(specification)));
  });
}
