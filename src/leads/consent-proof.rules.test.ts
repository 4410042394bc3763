import { expect, test } from 'vitest';

import { proofText, proofWithoutPerson } from './consent-proof.rules.ts';
import { erasedFields } from './read-fields.rules.ts';

const fields = {
  ...erasedFields,
  fullName: 'Jordan Rivera',
  email: 'jordan@mail.example',
  phone: '+12025550187',
  tcpaConsent: true,
  consentTimestamp: '2026-11-20T17:03:11.000Z',
  consentText: 'I, Jordan Rivera, agree.',
  sourceFormUrl: 'https://forms.example.com/?email=jordan%40mail.example',
  leadIp: '203.0.113.24',
  trustedformCertUrl: 'https://cert.example/abc',
  extra: { more: 'than is proved' },
};

test('a proof has what was agreed to, when, where and from which address, and nothing else', () => {
  expect(JSON.parse(proofText(fields))).toEqual({
    tcpaConsent: true,
    consentTimestamp: '2026-11-20T17:03:11.000Z',
    consentVersion: null,
    consentText: 'I, Jordan Rivera, agree.',
    sourceFormUrl: 'https://forms.example.com/?email=jordan%40mail.example',
    leadIp: '203.0.113.24',
    trustedformCertUrl: 'https://cert.example/abc',
    jornayaLeadId: null,
  });
});

test('without the person it says the same of nobody', () => {
  expect(JSON.parse(proofWithoutPerson(proofText(fields), fields))).toEqual({
    ...(JSON.parse(proofText(fields)) as object),
    consentText: 'I, [erased], agree.',
    sourceFormUrl: 'https://forms.example.com/?email=[erased]',
  });
});
