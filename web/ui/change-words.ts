// Names and values of changed fields in words, for the audit logs. Pure.

/** Parts of names that are written otherwise than with a capital at most. */
const PARTS: Readonly<Record<string, string>> = { url: 'URL', id: 'id', ip: 'IP', sms: 'SMS', totp: 'one-time code' };

/** Values that the service keeps as codes. */
const VALUES: Readonly<Record<string, string>> = {
  webhook: 'webhook',
  email: 'email',
  sms: 'text message',
  sheets: 'Google Sheets',
  sheets_script: 'Google Sheets script',
  buyer_token: 'partner token',
  supplier_key: 'supplier key',
  operator_token: 'operator token',
};

/** `settings.webhookUrl` → Settings, webhook URL */
export function fieldInWords(path: string): string {
  const words = path
    .split('.')
    .map((member) =>
      member
        .split(/[_-]|(?<=[a-z\d])(?=[A-Z])/)
        .map((part) => PARTS[part.toLowerCase()] ?? part.toLowerCase())
        .join(' '),
    )
    .join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether a value is an instant as the service writes it, such as `2026-11-25T08:30:00.000Z`. */
export function isInstant(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(value);
}

/** A value before or after a change, on one line. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value === '' ? 'empty' : (VALUES[value] ?? value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(partInWords).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, member]) => `${fieldInWords(name).toLowerCase()}: ${partInWords(member)}`)
    .join(', ');
}

/** In parentheses if it has members of its own. */
function partInWords(value: unknown): string {
  return typeof value === 'object' && value !== null ? `(${valueInWords(value)})` : valueInWords(value);
}
