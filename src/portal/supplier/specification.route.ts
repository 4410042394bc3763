// The signed-in supplier's posting specification, as page data and as a Markdown file.
import type { FastifyRequest } from 'fastify';
import type { Regions } from '../../base/regions.ts';

import type { Brand } from '../../marketplace/brand.schema.ts';
import { verticalsOf } from '../../leads/supplier-verticals.rules.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierConfig } from '../../suppliers/supplier.ts';
import { specificationMarkdown } from '../../specification/specification-markdown.rules.ts';
import { makeSpecification, type Specification, type SpecifiedField } from '../../specification/make-specification.ts';
import { SpecificationSchema } from './specification.schema.ts';

export type PortalSpecificationDependencies = {
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => SupplierConfig;
  readonly brand: () => Brand;
  readonly regions: () => Regions;
  /** All of the marketplace, by key. */
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

export function registerPortalSpecification(
  scope: App,
  { clock, supplierOf, brand, regions, verticals }: PortalSpecificationDependencies,
): void {
  const specificationFor = (request: FastifyRequest): Specification =>
    makeSpecification(
      {
        supplier: supplierOf(principalOf(request).ownerKey),
        origin: `${request.protocol}://${request.host}`,
        marketplace: brand().name,
        regions: regions(),
        verticals: verticalsOf(supplierOf(principalOf(request).ownerKey), verticals()),
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
        fields: shownFields(specification.fields),
        verticals: specification.verticals.map((vertical) => ({
          ...vertical,
          required: [...vertical.required],
          fields: shownFields(vertical.fields),
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

function shownFields(fields: readonly SpecifiedField[]) {
  return fields.map((field) => ({
    ...field,
    names: [...field.names],
    faults: [...field.faults],
    constant: field.constant === null ? null : JSON.stringify(field.constant),
  }));
}
