// The names of delivery channels.

export const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  webhook: 'Webhook',
  email: 'Email',
  sms: 'Text message',
  sheets: 'Google Sheets',
  sheets_script: 'Google Sheets script',
};
