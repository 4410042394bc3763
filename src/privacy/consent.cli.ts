// The command `lead consent`: shows the proof of consent to be called, also of an erased lead (decision 021).
import type { Command } from 'commander';
import { uuidOf } from '../base/ids.ts';
import { type ConsentRecord, readContactConsents, readConsent } from '../leads/consents.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
import type { CliContext } from '../platform/cli.ts';
import type { Tx } from '../platform/database/database.ts';
import { emailArgument, type PersonOptions, phoneArgument } from './erase.cli.ts';

/** `lead` is the parent command. */
export function registerConsentCommand(lead: Command, { withDatabase, out }: CliContext): void {
  const consent = lead
    .command('consent')
    .description('show the proof of consent of a lead, or of all erased leads with a contact')
    .argument('[lead]', 'a lead (lead_…)')
    .option('--email <address>', 'all erased leads with this address', emailArgument)
    .option('--phone <number>', 'all erased leads with this number, as +15555550123 or "(555) 555-0123"', phoneArgument)
    .action(async (id: string | undefined, options: PersonOptions) => {
      const isSearch = options.email !== undefined || options.phone !== undefined;
      if ((id === undefined) !== isSearch) return consent.error('error: give either a lead, or --email or --phone');
      if (id === undefined) {
        const data = await withDatabase((database) => database.tx((tx) => ofPerson(tx, options)));
        const text = data.length === 0 ? 'There is no erased lead with this contact.' : data.map(textOf).join('\n\n');
        return out.print({ json: { data }, text });
      }
      const leadId = uuidOf('lead', id);
      const found = leadId === null ? null : await withDatabase((database) => readConsent(database, leadId));
      if (found === null) return out.refuse('consent_not_found', `There is no proof of consent for ${id}.`);
      return out.print({ json: found, text: textOf(found) });
    });
}

async function ofPerson(tx: Tx, { email = null, phone = null }: { email?: string | null; phone?: string | null }) {
  const pepper = await readPersonPepper(tx);
  return readContactConsents(tx, { pepper, contact: { email, phone } });
}

const LABELS = {
  leadId: 'Lead',
  storedAt: 'Stored',
  tcpaConsent: 'Consent',
  consentTimestamp: 'Given',
  consentVersion: 'Version',
  consentText: 'Wording',
  sourceFormUrl: 'Form',
  leadIp: 'Address',
  trustedformCertUrl: 'TrustedForm',
  jornayaLeadId: 'Jornaya',
} as const satisfies Record<keyof ConsentRecord, string>;

function textOf(record: ConsentRecord): string {
  return Object.entries(LABELS)
    .map(([name, label]) => {
      const value = record[name as keyof ConsentRecord];
      const shown = value === null ? '-' : value === true ? 'yes' : value === false ? 'no' : value;
      return `${`${label}:`.padEnd(13)}${shown}`;
    })
    .join('\n');
}
