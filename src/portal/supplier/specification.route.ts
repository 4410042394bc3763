// The signed-in supplier's posting specification, as page data and as a Markdown file.
import type { FastifyRequest } from 'fastify';
import type { Regions } from '../../base/regions.ts';

import type { Brand } from '../../marketplace/brand.schema.ts';
import type { Clock } from '../../platform/clock.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierConfig } from '../../suppliers/supplier.ts';
import { specificationMarkdown } from '../../specification/specification-markdown.rules.ts';
import { makeSpecification, type Specification } from '../../specification/make-specification.ts';
import { SpecificationSchema } from './specification.schema.ts';

export type PortalSpecificationDependencies = {
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => SupplierConfig;
  readonly brand: () => Brand;
  readonly regions: () => Regions;
};

export function registerPortalSpecification(
  scope: App,
  { clock, supplierOf, brand, regions }: PortalSpecificationDependencies,
): void {
  const specificationFor = (request: FastifyRequest): Specification =>
    makeSpecification(
      {
        supplier: supplierOf(principalOf(request).ownerKey),
        origin: `${request.protocol}://${request.host}`,
        marketplace: brand().name,
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
        responses: specification.responses.map((response) => ({
          ...response,
          body: JSON.stringify(response.body, null, 2),
        })),
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
