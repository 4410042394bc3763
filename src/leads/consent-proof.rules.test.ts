import { describe, expect, it } from 'vitest';

import { consentProofText, maskProof } from './consent-proof.rules.ts';
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

describe('Consent proof', () => {
  it('contains the consent, its time, form and IP address, and nothing else', () => {
    expect(JSON.parse(consentProofText(fields))).toEqual({
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

  it('contains no personal data after masking', () => {
    expect(JSON.parse(maskProof(consentProofText(fields), fields))).toEqual({
      ...(JSON.parse(consentProofText(fields)) as object),
      consentText: 'I, [erased], agree.',
      sourceFormUrl: 'https://forms.example.com/?email=[erased]',
    });
  });
});
