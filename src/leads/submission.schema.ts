// Schema of a submission, for the OpenAPI document only: the rules of ingest validate the body after the mapping and report all errors at once
// (contract 3.1 to 3.3).
import { type TSchema, Type } from 'typebox';

import type { StandardName } from '../suppliers/field-mapping.rules.ts';
import { fieldGuide } from './field-guide.rules.ts';

type TextRule = { readonly format?: string; readonly pattern?: string; readonly examples?: readonly string[] };

/** null, like blank text, counts as absent. */
const orNull = (name: StandardName, ...schemas: readonly TSchema[]) =>
  Type.Optional(Type.Union([...schemas, Type.Null()], { description: fieldGuide[name].meaning }));

function textSchema(name: StandardName, rule: TextRule): TSchema {
  const { lengthMax, example } = fieldGuide[name];
  const { examples = [String(example)], ...further } = rule;
  return Type.String({ ...(lengthMax === null ? {} : { maxLength: lengthMax }), ...further, examples: [...examples] });
}

const text = (name: StandardName, rule: TextRule = {}) => orNull(name, textSchema(name, rule));
const url = (name: StandardName) => text(name, { pattern: String.raw`^[hH][tT][tT][pP][sS]?://[^\s\\/?#]` });
const time = (name: StandardName) => text(name, { format: 'date-time' });
const flag = (name: StandardName) => orNull(name, Type.Boolean());

// The pattern covers the spelling only, not the length of numbers per country.
const PHONE = {
  pattern: String.raw`^(?:[tT][eE][lL]:)?\(?\+[1-9](?:[ .()-]*\d){6,14}(?:[ .]*[^\d+]+\d{1,7}\)?)?$`,
  examples: ['+15555550123', '+1 (555) 555-0147', '+442079460018', '+61 2 5550 1234'],
};
// The accepted codes depend on the marketplace.
const STATE = { pattern: '^[A-Za-z]{2}$', examples: ['CA', 'TX', 'ny'] };
const ADDRESS = { pattern: '^[0-9A-Fa-f:.]+$', examples: ['203.0.113.20', '2001:db8::20'] };

const amount = orNull(
  'debt_amount',
  textSchema('debt_amount', { pattern: String.raw`^\d{1,9}(?:\.\d{1,2})?$` }),
  Type.Number({ minimum: 0, maximum: 999_999_999.99, multipleOf: 0.01 }),
);

/** A non-blank text under one of the names. */
const oneOfThem = (...names: readonly StandardName[]) => ({
  anyOf: names.map((name) => ({
    required: [name],
    properties: { [name]: { type: 'string', pattern: String.raw`\S` } },
  })),
});

export const SubmissionSchema = Type.Object(
  {
    external_id: text('external_id'),
    full_name: text('full_name'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    middle_name: text('middle_name'),
    name_prefix: text('name_prefix'),
    name_suffix: text('name_suffix'),
    email: text('email', { format: 'email' }),
    phone: text('phone', PHONE),
    business_name: text('business_name'),
    state: text('state', STATE),
    debt_amount: amount,
    source: text('source'),
    consent_timestamp: time('consent_timestamp'),
    source_form_url: url('source_form_url'),
    tcpa_consent: flag('tcpa_consent'),
    consent_version: text('consent_version'),
    consent_text: text('consent_text'),
    lead_ip: text('lead_ip', ADDRESS),
    utm_source: text('utm_source'),
    utm_medium: text('utm_medium'),
    utm_campaign: text('utm_campaign'),
    utm_term: text('utm_term'),
    utm_content: text('utm_content'),
    trustedform_cert_url: url('trustedform_cert_url'),
    jornaya_lead_id: text('jornaya_lead_id'),
    appointment_at: time('appointment_at'),
    test: flag('test'),
  },
  {
    $id: 'LeadSubmission',
    description:
      'A name is required, and an email address or a phone number. Additional members are stored with the lead. The operator can map other field names per supplier. Whitespace and invisible characters around a text are ignored; null and blank texts count as missing.',
    additionalProperties: true,
    allOf: [oneOfThem('full_name', 'first_name', 'last_name'), oneOfThem('email', 'phone')],
    examples: [
      {
        external_id: 'A-1001',
        full_name: 'Jordan Rivera',
        email: 'jordan.rivera@example.com',
        phone: '+15555550123',
        state: 'CA',
        debt_amount: '24500',
        source: 'search-debt-west',
        consent_timestamp: '2026-11-20T17:03:11Z',
        source_form_url: 'https://forms.example.com/debt?utm_source=search',
      },
    ],
  },
);
