// What partners and suppliers choose for their notices, as the portal reads and writes it (contract 12.3).
import { type Static, Type } from 'typebox';

import { JsonValueSchema, orNull } from '../platform/http/values.schema.ts';

/** Checked by the rules of the marketplace file, whose messages say what to do. */
export const NoticeSettingsBody = Type.Record(Type.String(), JsonValueSchema);

export type NoticeSettingsInput = Static<typeof NoticeSettingsBody>;

const text = Type.String();
const texts = Type.Array(text);

export const NoticeSettingsSchema = Type.Object({
  settings: Type.Object({
    emails: texts,
    webhookUrl: orNull(text),
    chatUrl: orNull(text),
    timeZone: orNull(text),
    quietHours: orNull(Type.Object({ from: text, to: text })),
    digestAt: text,
    off: texts,
    digest: texts,
    urgent: texts,
    thresholds: Type.Record(text, orNull(Type.Number())),
  }),
  /** Where emails go while the settings name no address. */
  accountEmails: texts,
  /** Holds while the settings name none. */
  timeZone: text,
});
export type NoticeSettings = Static<typeof NoticeSettingsSchema>;
