// Validates a value for one of a buyer's seven settings and returns its stored form (contract 6.16).
import { isBlank, plainText, trimmed, withoutHidden } from '../base/text.ts';
import { type AllowedTargets, checkTargetUrl } from '../platform/outbound/target.rules.ts';
import type { BuyerSetting, BuyerSettings } from './buyer.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { readPostedPhone } from '../platform/contact/written-phone.rules.ts';

export type SettingFault = {
  readonly ok: false;
  readonly code: 'invalid_format' | 'not_unique' | 'too_long' | 'wrong_type' | 'webhook_url_blocked';
  /** Begins in lower case, to follow the setting's name; never repeats the value. */
  readonly message: string;
};
export type SettingVerdict = { readonly ok: true; readonly value: BuyerSettings[BuyerSetting] } | SettingFault;

export type SettingOptions = {
  readonly allowTargets: AllowedTargets;
};

type Read = (text: string, options: SettingOptions) => SettingVerdict;

// As on ingest.
export const TEXT_LENGTH_MAX = 500;
export const URL_LENGTH_MAX = 2048;
// More recipients make mail servers suspect spam.
export const CC_EMAILS_MAX = 20;
// Google promises letters, digits, hyphens and underscores and no length; real ids have 44 characters.
const SPREADSHEET_ID = /^[A-Za-z0-9_-]{1,200}$/;
// As copied from the address bar, with or without the account's number. `/d/e/…` is a published copy, which cannot be appended to.
const SPREADSHEET_LINK =
  /^https:\/\/docs\.google\.com\/(?:a\/[^/]+\/)?spreadsheets\/(?:u\/\d+\/)?d\/(?!e\/)([A-Za-z0-9_-]{1,200})(?:[/?#].*)?$/;

const reads: Readonly<Record<Exclude<BuyerSetting, 'ccEmails'>, Read>> = {
  notificationEmail: readEmail,
  webhookUrl: readTarget,
  phone: readNumber,
  smsNumber: readNumber,
  sheetsWebhookUrl: readTarget,
  sheetsSpreadsheetId: readSpreadsheet,
};

/**
 * null or blank text clears a setting; `ccEmails` is then empty. URLs are checked without DNS: before saving one, the caller also calls
 * `checkTarget`.
 */
export function checkSetting(field: BuyerSetting, value: unknown, options: SettingOptions): SettingVerdict {
  if (field === 'ccEmails') return readEmails(value);
  if (value === null) return { ok: true, value: null };
  return readText(value, { lengthMax: field.endsWith('Url') ? URL_LENGTH_MAX : TEXT_LENGTH_MAX }, (text) =>
    text === null ? { ok: true, value: null } : reads[field](text, options),
  );
}

function readEmails(value: unknown): SettingVerdict {
  if (value === null) return { ok: true, value: [] };
  if (!Array.isArray(value)) return no('wrong_type', 'must be a list of email addresses or null');
  if (value.length > CC_EMAILS_MAX) return no('too_long', `must name at most ${CC_EMAILS_MAX} addresses`);
  const emails: string[] = [];
  for (const item of value as unknown[]) {
    const verdict = readText(item, { lengthMax: TEXT_LENGTH_MAX }, (text) =>
      text === null ? no('invalid_format', 'must not contain an empty address') : readEmail(text),
    );
    if (!verdict.ok) return verdict;
    emails.push(verdict.value as string);
  }
  // Addresses are ASCII, and mail servers ignore case.
  const isUnique = new Set(emails.map((email) => email.toLowerCase())).size === emails.length;
  return isUnique ? { ok: true, value: emails } : no('not_unique', 'must not contain an address twice');
}

/** Calls `read` with the trimmed text, or with null if it is blank. */
function readText(
  value: unknown,
  { lengthMax }: { readonly lengthMax: number },
  read: (text: string | null) => SettingVerdict,
): SettingVerdict {
  if (typeof value !== 'string') return no('wrong_type', 'must be text or null');
  if (isBlank(value)) return read(null);
  const text = trimmed(value);
  if ([...text.slice(0, 2 * lengthMax + 1)].length > lengthMax) {
    return no('too_long', `must have at most ${lengthMax} characters`);
  }
  return read(text);
}

function readEmail(text: string): SettingVerdict {
  const plain = plainText(text);
  return isEmail(plain) ? { ok: true, value: plain } : no('invalid_format', 'must be an email address');
}

function readNumber(text: string): SettingVerdict {
  const phone = readPostedPhone(text);
  if (phone !== null && phone.extension !== null) return no('invalid_format', 'must be a number without an extension');
  if (phone !== null) return { ok: true, value: phone.number };
  return no('invalid_format', 'must be a phone number in international form, such as +15555550123');
}

function readTarget(given: string, { allowTargets }: SettingOptions): SettingVerdict {
  const text = withoutHidden(given);
  const verdict = checkTargetUrl(text, allowTargets);
  return verdict.ok ? { ok: true, value: text } : no(verdict.code, `is refused: ${verdict.reason}`);
}

function readSpreadsheet(given: string): SettingVerdict {
  const text = plainText(given);
  const id = SPREADSHEET_ID.test(text) ? text : SPREADSHEET_LINK.exec(text)?.[1];
  if (id !== undefined) return { ok: true, value: id };
  return no('invalid_format', "must be a Google spreadsheet's id or its link");
}

function no(code: SettingFault['code'], message: string): SettingFault {
  return { ok: false, code, message };
}
