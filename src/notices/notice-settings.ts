// Reads and changes what a recipient of notices has chosen: its channels, times, and kinds (contract 12.3).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { storedTimeZone } from '../base/time-zone.rules.ts';
import { formOf, withDefaults } from '../marketplace/configured-form.rules.ts';
import {
  type PartnerNotices,
  PartnerNoticesSchema,
  type SupplierNotices,
  SupplierNoticesSchema,
} from '../marketplace/notices.schema.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import {
  selectNoticeSetting,
  selectNoticeSettings,
  selectRecipient,
  writeNoticeSetting,
} from './notice-setting.sql.ts';
import type { Preferences } from './plan-notice.rules.ts';

export type RecipientKind = 'operator' | 'buyer' | 'supplier';
/** The key of the operators is empty: they are one recipient. */
export type RecipientKey = { readonly recipientKind: RecipientKind; readonly recipientKey: string };

export type Recipient = Preferences & {
  /** As its messages address it. */
  readonly name: string;
  /** The service as people open it, such as `https://leads.example.com`; null if operators have not set it. */
  readonly publicUrl: string | null;
  readonly currency: string;
  /** Of a partner: where what is about billing goes; null for its other addresses. */
  readonly billingEmail: string | null;
};

/** With defaults, addresses and the time zone filled in. `withoutChoice`: as if a partner or supplier had chosen nothing. */
export async function readRecipient(
  tx: Tx,
  { recipientKind, recipientKey }: RecipientKey,
  { withoutChoice = false } = {},
): Promise<Recipient> {
  const { settings } = await readSettings(tx);
  const { publicUrl, ...operators } = settings.notices;
  const { currency, name: marketplace } = settings;
  if (recipientKind === 'operator') {
    return {
      ...operators,
      timeZone: storedTimeZone(operators.timeZone ?? settings.timeZone),
      name: marketplace,
      publicUrl,
      currency,
      billingEmail: null,
    };
  }
  const [row] = await tx.query(selectRecipient, { ownerKind: recipientKind, ownerKey: recipientKey });
  const chosen = noticesOf(recipientKind, withoutChoice ? {} : (row?.settings ?? {}));
  const account = [row?.notificationEmail ?? '', ...(row?.ccEmails ?? [])].filter((email) => email !== '');
  return {
    ...chosen,
    emails: chosen.emails.length > 0 ? chosen.emails : account,
    timeZone: storedTimeZone(chosen.timeZone ?? row?.timeZone ?? 'UTC'),
    name: row?.name ?? recipientKey,
    publicUrl,
    currency,
    billingEmail: row?.billingEmail ?? null,
  };
}

/** As if it had chosen nothing, where its choice cannot be used: its notices go out all the same, and stop nobody else's. */
export async function readRecipientAnyway(tx: Tx, key: RecipientKey): Promise<Recipient> {
  try {
    return await readRecipient(tx, key);
  } catch {
    // An error of the database ends the transaction: then this fails as well.
    return readRecipient(tx, key, { withoutChoice: true });
  }
}

type Owned = { readonly buyer: PartnerNotices; readonly supplier: SupplierNotices };

/** As chosen, with defaults: without addresses and zones from elsewhere. */
export async function readNoticeSettings<Kind extends keyof Owned>(
  tx: Tx,
  ownerKey: string,
  ownerKind: Kind,
): Promise<Owned[Kind]> {
  const [row] = await tx.query(selectNoticeSetting, { ownerKind, ownerKey });
  return noticesOf(ownerKind, row?.settings ?? {});
}

/** A lookup of the settings of all partners or suppliers, with defaults for those that have set nothing. */
export async function readAllNoticeSettings<Kind extends keyof Owned>(
  tx: Tx,
  ownerKind: Kind,
): Promise<(ownerKey: string) => Owned[Kind]> {
  const rows = await tx.query(selectNoticeSettings, { ownerKind });
  const known = new Map(rows.map(({ ownerKey, settings }) => [ownerKey, settings]));
  const unset = noticesOf(ownerKind, {});
  // At each call, so that settings that cannot be read fail for their owner alone.
  return (ownerKey) => (known.has(ownerKey) ? noticesOf(ownerKind, known.get(ownerKey)) : unset);
}

function noticesOf<Kind extends keyof Owned>(ownerKind: Kind, stored: unknown): Owned[Kind] {
  const schema = ownerKind === 'buyer' ? PartnerNoticesSchema : SupplierNoticesSchema;
  return withDefaults(schema, stored) as Owned[Kind];
}

export type NoticeSettingsChange = {
  readonly ownerKind: keyof Owned;
  /** Whole and checked. */
  readonly settings: PartnerNotices | SupplierNotices;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
};

/** Equal settings write nothing. */
export async function changeNoticeSettings(
  tx: Tx,
  ownerKey: string,
  { ownerKind, settings, actor, origin }: NoticeSettingsChange,
  now: Date,
): Promise<void> {
  const schema = ownerKind === 'buyer' ? PartnerNoticesSchema : SupplierNoticesSchema;
  const before = formOf(schema, await readNoticeSettings(tx, ownerKey, ownerKind));
  const after = formOf(schema, settings);
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(memberOf(before, name)) !== JSON.stringify(memberOf(after, name)),
  );
  if (changed.length === 0) return;
  await tx.query(writeNoticeSetting, { ownerKind, ownerKey, settings: JSON.stringify(after), now });
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: ownerKind === 'buyer' ? ownerKey : null,
      supplierKey: ownerKind === 'supplier' ? ownerKey : null,
      action: 'notices.changed',
      target: ownerKey,
      // Without the URLs, which may contain tokens.
      changes: Object.fromEntries(
        changed.map((name) => [name, { from: auditable(before, name), to: auditable(after, name) }]),
      ),
      ...origin,
    },
  ]);
}

function memberOf(settings: object, name: string): unknown {
  return (settings as Readonly<Record<string, unknown>>)[name];
}

function auditable(settings: object, name: string): string | null {
  const value = memberOf(settings, name);
  if (value === null) return null;
  return name.endsWith('Url') ? '…' : JSON.stringify(value);
}
