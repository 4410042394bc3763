import { describe, expect, test } from 'vitest';

import { changedSettings, readAccountPatch } from './account-patch.rules.ts';
import { noSettings } from './buyer-form.rules.ts';
import type { BuyerSetting } from './buyer.ts';
import { buyerSettings } from './partner.schema.ts';

const options = { allowTargets: [] };

function read(members: Record<string, unknown>, editable: readonly BuyerSetting[] = buyerSettings) {
  return readAccountPatch(members, editable, options);
}

describe('A change of the account', () => {
  test('holds the settings that were named, in the form that is kept', () => {
    expect(read({ phone: '+1 (555) 555-0123', ccEmails: null, webhookUrl: ' ' })).toEqual({
      values: { phone: '+15555550123', ccEmails: [], webhookUrl: null },
      faults: [],
    });
    expect(read({})).toEqual({ values: {}, faults: [] });
  });

  test('tells of every faulty member, in their order', () => {
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

  test('says of a setting that may not be changed nothing else', () => {
    const faults = read({ webhookUrl: 5, phone: '+15555550123' }, ['phone']).faults;
    expect(faults.map(({ field, code }) => [field, code])).toEqual([['webhookUrl', 'field_not_editable']]);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'WebhookUrl', 'webhookUrl ', '', 'settings'])(
    'knows no member %j',
    (field) => {
      expect(read({ [field]: null }).faults).toMatchObject([{ field, code: 'field_not_editable' }]);
    },
  );

  test('is answered by no more faults than anybody reads', () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x${index}`, 1]));
    expect(read(members).faults).toHaveLength(50);
  });
});

describe('What a change would change', () => {
  const before = { ...noSettings, phone: '+15555550123', ccEmails: ['a@b.example'] };
  test.each<readonly [Parameters<typeof changedSettings>[1], readonly BuyerSetting[]]>([
    [{}, []],
    [{ phone: '+15555550123' }, []],
    [{ phone: null }, ['phone']],
    [{ ccEmails: ['a@b.example'] }, []],
    [{ ccEmails: ['a@b.example', 'c@d.example'] }, ['ccEmails']],
    [{ webhookUrl: null, smsNumber: '+15555550124' }, ['smsNumber']],
  ])('by %j is %j', (patch, changed) => {
    expect(changedSettings(before, patch)).toEqual(changed);
  });
});
