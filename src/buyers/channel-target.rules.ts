// Where each channel goes by a partner's settings, and how that is shown where not all of it may be (contract 5).
import { maskTarget } from '../platform/outbound/target.rules.ts';
import type { BuyerSetting, BuyerSettings, Channel } from './buyer.ts';

const SETTING_OF: Readonly<Record<Channel, BuyerSetting>> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

/** The setting that has to be there before anything can be sent. */
export function settingOf(channel: Channel): BuyerSetting {
  return SETTING_OF[channel];
}

/** Null when the partner has not said. */
export function targetOf(channel: Channel, settings: BuyerSettings): string | null {
  const value = settings[SETTING_OF[channel]];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Enough to tell one target from another: the origin of a URL, the domain of an address, the last digits of a number, the start of an id. */
export function maskedTargetOf(channel: Channel, settings: BuyerSettings): string {
  const target = targetOf(channel, settings);
  if (target === null) return '';
  return MASK_OF[channel](target);
}

const MASK_OF: Readonly<Record<Channel, (target: string) => string>> = {
  webhook: maskTarget,
  sheets_script: maskTarget,
  email: (address) => `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`,
  sms: (number) => `…${number.slice(-4)}`,
  sheets: (spreadsheetId) => `${spreadsheetId.slice(0, 6)}…`,
};
