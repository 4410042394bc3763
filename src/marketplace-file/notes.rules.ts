// Notices what a file may say and its author may not mean: no fault, only worth a line to a person.
import type { BuyerSetting, BuyerSettings, Channel } from '../buyers/buyer.ts';
import type { Configuration, Writes } from './difference.rules.ts';

const settingOf: Readonly<Record<Channel, BuyerSetting>> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

/** About what is written, with the configuration as it will be. */
export function notesOn(
  { buyers, offers }: Writes,
  current: Configuration,
  newSuppliers: ReadonlySet<string>,
): string[] {
  const notes: string[] = [];
  for (const { buyerKey, channels, settings } of buyers) {
    for (const channel of channels) {
      const name = settingOf[channel];
      if (!isSet(settings, name))
        notes.push(`partner ${buyerKey}: the channel ${channel} needs ${name}, which is not set`);
    }
  }
  for (const { offerKey, filters } of offers) {
    for (const key of [...filters.suppliers, ...filters.suppliersNot]) {
      const isKnown = current.suppliers.has(key) || newSuppliers.has(key);
      if (!isKnown) notes.push(`offer ${offerKey}: its filters name the supplier ${key}, which does not exist`);
    }
  }
  return notes;
}

function isSet(settings: BuyerSettings, name: BuyerSetting): boolean {
  const value = settings[name];
  return value !== null && value.length > 0;
}
