import { describe, expect, it } from 'vitest';

import type { Buyer, Channel, EditableField } from './buyer.ts';
import { channelsFault, ownChannels } from './own-channels.rules.ts';
import { channels } from './partner.schema.ts';

const everything: readonly EditableField[] = [
  'channels',
  'webhookUrl',
  'notificationEmail',
  'smsNumber',
  'sheetsSpreadsheetId',
  'sheetsWebhookUrl',
];
const settings: Buyer['settings'] = {
  notificationEmail: 'leads@summit.example',
  ccEmails: [],
  webhookUrl: 'https://summit.example/leads',
  phone: null,
  smsNumber: null,
  sheetsWebhookUrl: null,
  sheetsSpreadsheetId: null,
};

describe('The channels that a partner switches by itself', () => {
  it('are those whose target it may change, and none without the permission', () => {
    expect(ownChannels({ editableFields: everything })).toEqual(channels);
    expect(ownChannels({ editableFields: ['channels', 'notificationEmail', 'ccEmails'] })).toEqual(['email']);
    expect(ownChannels({ editableFields: everything.filter((field) => field !== 'channels') })).toEqual([]);
  });

  const without = (...fields: EditableField[]): EditableField[] =>
    everything.filter((field) => !fields.includes(field));
  const cases: ReadonlyArray<
    readonly [what: string, before: Channel[], next: Channel[], EditableField[], ReturnType<typeof channelsFault>]
  > = [
    ['an email copy', ['webhook'], ['webhook', 'email'], [...everything], null],
    ['the same channels', ['webhook', 'sms'], ['webhook', 'sms'], ['channels'], null],
    ['no channel at all', ['webhook'], [], [...everything], null],
    ['email as the primary channel', ['webhook', 'email'], ['email', 'webhook'], [...everything], null],
    [
      'text messages without a number',
      ['webhook'],
      ['webhook', 'sms'],
      [...everything],
      { code: 'missing_target', channel: 'sms' },
    ],
    ['a channel without a target that it has', ['webhook', 'sms'], ['sms', 'webhook'], [...everything], null],
    [
      'anything without the permission',
      ['webhook'],
      ['webhook', 'email'],
      without('channels'),
      { code: 'setting_not_editable', channel: 'email' },
    ],
    [
      'one of the operator’s switched on',
      ['webhook'],
      ['webhook', 'email'],
      without('notificationEmail'),
      { code: 'setting_not_editable', channel: 'email' },
    ],
    [
      'one of the operator’s switched off',
      ['email', 'webhook'],
      ['email'],
      without('webhookUrl'),
      { code: 'setting_not_editable', channel: 'webhook' },
    ],
    ['a copy beside the operator’s', ['webhook'], ['webhook', 'email'], without('webhookUrl'), null],
    [
      'its own before the operator’s primary one',
      ['webhook'],
      ['email', 'webhook'],
      without('webhookUrl'),
      { code: 'setting_not_editable', channel: 'webhook' },
    ],
    [
      'the operator’s as the primary one',
      ['email', 'webhook'],
      ['webhook', 'email'],
      without('webhookUrl'),
      { code: 'setting_not_editable', channel: 'webhook' },
    ],
    [
      'its own primary channel off, which makes the operator’s the primary one',
      ['email', 'webhook'],
      ['webhook'],
      without('webhookUrl'),
      { code: 'setting_not_editable', channel: 'webhook' },
    ],
    [
      'two of the operator’s in another order',
      ['email', 'webhook', 'sms'],
      ['email', 'sms', 'webhook'],
      without('webhookUrl', 'smsNumber'),
      { code: 'setting_not_editable', channel: 'webhook' },
    ],
  ];

  it.each(cases)('are checked for what only the operator may change: %s', (_, before, next, editableFields, fault) => {
    expect(channelsFault({ channels: before, editableFields, settings }, next)).toEqual(fault);
  });
});
