import { describe, expect, it } from 'vitest';

import { changedSettings, notEditable, readAccountPatch } from './account-patch.rules.ts';
import { noSettings } from './buyer-form.rules.ts';
import type { BuyerSetting, EditableField } from './buyer.ts';
import { buyerSettings } from './partner.schema.ts';

const options = { allowTargets: [] };

function read(members: Record<string, unknown>, editable: readonly BuyerSetting[] = buyerSettings) {
  return readAccountPatch(members, editable, options);
}

describe('A change of the account', () => {
  it('contains the named settings in their stored form', () => {
    expect(read({ phone: '+1 (555) 555-0123', ccEmails: null, webhookUrl: ' ' })).toEqual({
      values: { phone: '+15555550123', ccEmails: [], webhookUrl: null },
      faults: [],
    });
    expect(read({})).toEqual({ values: {}, faults: [] });
  });

  it('reports every invalid member, in the order of the members', () => {
    const members = {
      name: 'X',
      webhookUrl: 'http://crm.example/x',
      phone: 'no',
      ccEmails: 'a@b.example',
      partnerKey: null,
      notificationEmail: 'a'.repeat(501),
      smsNumber: '+15555550123',
    };
    expect(read(members).faults.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'name field_not_editable',
      'webhookUrl webhook_url_blocked',
      'phone invalid_format',
      'ccEmails wrong_type',
      'partnerKey field_not_editable',
      'notificationEmail too_long',
    ]);
  });

  it('reports only that a setting is not editable, not that its value is invalid', () => {
    const faults = read({ webhookUrl: 5, phone: '+15555550123' }, ['phone']).faults;
    expect(faults.map(({ field, code }) => [field, code])).toEqual([['webhookUrl', 'field_not_editable']]);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty', 'WebhookUrl', 'webhookUrl ', '', 'settings'])(
    'reports the unknown member %j as not editable',
    (field) => {
      expect(read({ [field]: null }).faults).toMatchObject([{ field, code: 'field_not_editable' }]);
    },
  );

  it('says where the format and the channels are changed, once the operator allows it', () => {
    const faultOf = (field: string, ...editable: EditableField[]): unknown =>
      readAccountPatch({ [field]: [] }, editable, options).faults;
    const message = 'is changed in the portal, under Settings';
    for (const field of ['webhookFormat', 'channels'] as const) {
      expect(faultOf(field, field)).toEqual([{ field, code: 'field_not_editable', message }]);
      expect(faultOf(field)).toEqual([notEditable(field)]);
    }
  });

  it('reports at most 50 errors', () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    expect(read(members).faults).toHaveLength(50);
  });
});

describe('The settings changed', () => {
  const before = { ...noSettings, phone: '+15555550123', ccEmails: ['a@b.example'] };
  it.each<readonly [Parameters<typeof changedSettings>[1], readonly BuyerSetting[]]>([
    [{}, []],
    [{ phone: '+15555550123' }, []],
    [{ phone: null }, ['phone']],
    [{ ccEmails: ['a@b.example'] }, []],
    [{ ccEmails: ['a@b.example', 'c@d.example'] }, ['ccEmails']],
    [{ webhookUrl: null, smsNumber: '+15555550124' }, ['smsNumber']],
  ])('by the patch %j are %j', (patch, changed) => {
    expect(changedSettings(before, patch)).toEqual(changed);
  });
});
