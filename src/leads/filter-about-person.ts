// Keeps of some stored leads those that are about a person, and lets the process do other work in between: one body may be long, and
// a search reads many.
import { setImmediate } from 'node:timers/promises';

import type { LeadFields } from './lead-fields.ts';
import { isAboutPerson, type PersonQuery } from './person-query.rules.ts';

/** As stored: `fields` is JSON of LeadFields. */
export type PersonText = { readonly fields: string | null; readonly refusedText: string | null };

/** Characters: two or three milliseconds of work. */
const READ_AT_ONCE = 500_000;

export async function filterAboutPerson<Lead extends PersonText>(
  queries: readonly PersonQuery[],
  leads: readonly Lead[],
): Promise<Lead[]> {
  const about: Lead[] = [];
  let read = 0;
  for (const lead of leads) {
    const { fields, refusedText } = lead;
    read += (fields ?? refusedText ?? '').length;
    if (isAboutPerson(queries, { fields: fields === null ? null : (JSON.parse(fields) as LeadFields), refusedText })) {
      about.push(lead);
    }
    if (read >= READ_AT_ONCE) {
      read = 0;
      await setImmediate();
    }
  }
  return about;
}
