// Collects the licences that the packages in an archive do not bring with them: of the packages that the pages are built of, whose folders
// are not shipped, and of PostgreSQL with its libraries, whose package has only its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { ThirdParty } from '../../test/docs/third-party.ts';

const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const RULE = '='.repeat(80);

/** Licences are texts of others, to be passed on as they are. */
export function thirdPartyLicences(root: string, shipped: readonly ThirdParty[]): string {
  const ofPages = shipped
    .filter(({ isOfPages }) => isOfPages)
    .map(({ name, version, licence, path }) =>
      [RULE, `${name} ${version} (${licence})`, '', ...licenceFiles(join(root, path)), ''].join('\n'),
    );
  return `The packages in node_modules have their licences in their folders. The rest:

${ofPages.join('\n')}
${readFileSync(join(import.meta.dirname, 'licences-of-postgresql.txt'), 'utf8')}`;
}

/** The contents of a package's licence files; empty for a package that states its licence in package.json only. */
export function licenceFiles(folder: string): string[] {
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  return files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
}
