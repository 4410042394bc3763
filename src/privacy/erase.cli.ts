// The command `lead erase`: erases the personal data of a lead, or of all leads with an email address or phone number (decision 021).
import { type Command, InvalidArgumentError } from 'commander';
import { commandLineActor } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { type LeadId, typeId, uuidOf } from '../base/ids.ts';
import { findLeadOfDelivery } from '../deliveries/find-sales.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import { findContactLeads } from '../leads/find-contact-leads.ts';
import type { Contact } from '../leads/contact-query.rules.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import { resemblesEmail } from '../platform/contact/email.rules.ts';
import { readWrittenPhone } from '../platform/contact/written-phone.rules.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { type ErasedLead, eraseDataSubjects } from './erase-data-subjects.ts';

export type PersonOptions = { readonly email?: string; readonly phone?: string };
type EraseOptions = PersonOptions & { readonly reason?: string; readonly yes?: true };

/** `lead` is the parent command. */
export function registerEraseCommand(lead: Command, context: CliContext): void {
  const erase = lead
    .command('erase')
    .description('permanently erase the personal data of a lead, or of all leads with a contact')
    .argument('[id]', 'a lead (lead_…) or one of its deliveries (dlv_…)')
    .option('--email <address>', 'all leads with this address', emailArgument)
    .option('--phone <number>', 'all leads with this number, as +15555550123 or "(555) 555-0123"', phoneArgument)
    .option('--reason <text>', 'the reason, for the audit log; without personal data', textArgument(200))
    .option('--yes', 'erase the leads that --email or --phone finds; without it they are only listed')
    .action((id: string | undefined, options: EraseOptions) => {
      const isSearch = options.email !== undefined || options.phone !== undefined;
      if ((id === undefined) !== isSearch) return erase.error('error: give either a lead, or --email or --phone');
      return id === undefined ? erasePerson(context, options) : eraseLead(context, id, options);
    });
}

export function emailArgument(text: string): string {
  if (!resemblesEmail(text)) throw new InvalidArgumentError('It must be an email address.');
  return text;
}

export function phoneArgument(text: string): string {
  const phone = readWrittenPhone(text)?.number ?? null;
  if (phone === null)
    throw new InvalidArgumentError('It must be a whole phone number, such as "(312) 554-0166" or +442079460958.');
  return phone;
}

async function eraseLead(context: CliContext, id: string, options: EraseOptions): Promise<void> {
  const { withDatabase, out } = context;
  const erased = await withDatabase(async (database) => {
    const leadId = await database.tx((tx) => leadOf(tx, id));
    return leadId === null ? [] : eraseOne(database, leadId, { context, reason: options.reason });
  });
  if (erased.length === 0) return out.refuse('lead_not_found', `There is no lead or delivery ${id}.`);
  printErased(context, erased);
}

async function leadOf(tx: Tx, id: string): Promise<LeadId | null> {
  const deliveryId = uuidOf('delivery', id);
  return deliveryId === null ? uuidOf('lead', id) : findLeadOfDelivery(tx, deliveryId);
}

async function erasePerson(context: CliContext, { email, phone, reason, yes }: EraseOptions): Promise<void> {
  const { withDatabase, out } = context;
  const contact = { email: email ?? null, phone: phone ?? null };
  await withDatabase(async (database) => {
    const leadIds = await search(database, contact, (text) => out.progress(text));
    if (yes !== true) {
      const data = leadIds.map((leadId) => ({ leadId: typeId('lead', leadId) }));
      const lines = data.map(({ leadId }) => leadId);
      const text = [...lines, `${data.length} found, none erased. Repeat with --yes to erase them.`].join('\n');
      return out.print({
        json: { data, erased: 0 },
        text: data.length === 0 ? 'There is no lead with this contact.' : text,
      });
    }
    const erased: ErasedLead[] = [];
    for (const leadId of leadIds) {
      erased.push(...(await eraseOne(database, leadId, { context, reason })));
      out.progress(`Erased ${erased.length} of ${leadIds.length}…`);
    }
    printErased(context, erased);
  });
}

async function search(database: Database, contact: Contact, progress: (text: string) => void): Promise<LeadId[]> {
  const found: LeadId[] = [];
  let after: LeadId | null = null;
  do {
    const part: Awaited<ReturnType<typeof findContactLeads>> = await database.tx((tx) =>
      findContactLeads(tx, { contact, after }),
    );
    found.push(...part.found);
    after = part.next;
    progress(`Searching all leads: ${found.length} found…`);
  } while (after !== null);
  return found;
}

type Erasing = { readonly context: CliContext; readonly reason: string | undefined };

/** In its own transaction, so that a later failure does not undo it. */
function eraseOne(database: Database, leadId: LeadId, { context, reason }: Erasing): Promise<ErasedLead[]> {
  const audit = { actor: commandLineActor, reason: reason === undefined ? null : maskSecrets(reason) };
  return repeatTransient(() =>
    database.tx((tx) => eraseDataSubjects(tx, { leadIds: [leadId], audit }, context.clock.now())),
  );
}

function printErased({ out }: CliContext, erased: readonly ErasedLead[]): void {
  const data = erased.map(({ leadId, supplierKey, isRepeat, deliveries }) => ({
    leadId: typeId('lead', leadId),
    supplier: supplierKey,
    erasedBefore: isRepeat,
    deliveries: deliveries.map(({ deliveryId, eventType, refNumber, buyerKey, status }) => ({
      deliveryId: typeId('delivery', deliveryId),
      deliveryRef: deliveryRef(eventType, refNumber),
      partner: buyerKey,
      status,
    })),
  }));
  const lines = data.flatMap(({ leadId, supplier, erasedBefore, deliveries }) => [
    `${leadId}  erased${erasedBefore ? ' (and had been before)' : ''}; ${supplier} submitted it and may hold a copy`,
    ...deliveries.map(
      ({ deliveryRef: ref, deliveryId, partner, status }) =>
        `  ${ref}  ${deliveryId}  ${status}; ${partner} may hold a copy`,
    ),
  ]);
  const text = lines.length === 0 ? 'There is no lead with this contact.' : lines.join('\n');
  out.print({ json: { data, erased: data.length }, text });
}
