// The target of each delivery channel in a partner's settings, in full and masked (contract 5).
import { maskTarget } from '../platform/outbound/target.rules.ts';
import type { BuyerSetting, BuyerSettings, Channel } from './buyer.ts';

const SETTING_OF: Readonly<Record<Channel, BuyerSetting>> = {
  webhook: 'webhookUrl',
  email: 'notificationEmail',
  sms: 'smsNumber',
  sheets: 'sheetsSpreadsheetId',
  sheets_script: 'sheetsWebhookUrl',
};

/** The setting that contains the channel's target. */
export function settingOf(channel: Channel): BuyerSetting {
  return SETTING_OF[channel];
}

/** Null if the setting is unset. */
export function targetOf(channel: Channel, settings: BuyerSettings): string | null {
  const value = settings[SETTING_OF[channel]];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Enough to tell targets apart: the origin of a URL, the domain of an address, the last digits of a number, the start of an id. */
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
