// The names that templates may use, and their values for one delivery (contract 13.1).
import { closest } from 'fastest-levenshtein';

import { SECRET_NAME } from '../../credentials/partner-secret.rules.ts';
import type { SecretValue } from '../../credentials/partner-secrets.ts';
import type { LeadFields } from '../../leads/lead-fields.ts';
import { namesOf } from '../../leads/person-name.rules.ts';
import type { DeliveryView } from '../delivery.schema.ts';
import type { Expression, TemplateFault } from './expression.rules.ts';
import type { TemplateValue } from './template-value.ts';

/** What one request is rendered from. */
export type TemplateInput = {
  readonly delivery: DeliveryView;
  readonly fields: LeadFields;
  /** The own fields of the lead's vertical that the partner may read. */
  readonly own: Readonly<Record<string, TemplateValue>> | null;
  readonly partnerKey: string;
  readonly isTest: boolean;
  /** By name; null hides them, for a preview. */
  readonly secrets: ReadonlyMap<string, SecretValue> | null;
};

type Read = (input: TemplateInput) => TemplateValue;

/** All but `fullName` and `tcpaConsent` are null if the supplier did not send them. Where a lead came from stays with the operator. */
const NAMES = {
  'lead.fullName': ({ delivery }) => delivery.lead.fullName,
  'lead.firstName': ({ delivery }) => namesOf(delivery.lead).firstName,
  'lead.middleName': ({ delivery }) => namesOf(delivery.lead).middleName,
  'lead.lastName': ({ delivery }) => namesOf(delivery.lead).lastName,
  'lead.namePrefix': ({ delivery }) => namesOf(delivery.lead).namePrefix,
  'lead.nameSuffix': ({ delivery }) => namesOf(delivery.lead).nameSuffix,
  'lead.email': ({ delivery }) => delivery.lead.email,
  'lead.phone': ({ delivery }) => delivery.lead.phone,
  'lead.phoneExtension': ({ fields }) => phoneExtension(fields),
  'lead.state': ({ delivery }) => delivery.lead.state,
  'lead.debtAmount': ({ delivery }) => delivery.lead.debtAmount,
  'lead.businessName': ({ fields }) => fields.businessName,
  'lead.tcpaConsent': ({ delivery }) => delivery.lead.tcpaConsent,
  'lead.consentTimestamp': ({ delivery }) => delivery.lead.consentTimestamp,
  'lead.consentVersion': ({ fields }) => fields.consentVersion,
  'lead.consentText': ({ fields }) => fields.consentText,
  'lead.leadIp': ({ delivery }) => delivery.lead.leadIp,
  'lead.utmSource': ({ delivery }) => delivery.lead.utmSource,
  'lead.utmMedium': ({ fields }) => fields.utmMedium,
  'lead.utmCampaign': ({ fields }) => fields.utmCampaign,
  'lead.utmTerm': ({ fields }) => fields.utmTerm,
  'lead.utmContent': ({ fields }) => fields.utmContent,
  'lead.sourceUrl': ({ delivery }) => delivery.lead.sourceUrl,
  'lead.trustedformCertUrl': ({ fields }) => fields.trustedformCertUrl,
  'lead.jornayaLeadId': ({ fields }) => fields.jornayaLeadId,
  'delivery.deliveryId': ({ delivery }) => delivery.deliveryId,
  'delivery.deliveryRef': ({ delivery }) => delivery.deliveryRef,
  'delivery.eventType': ({ delivery }) => delivery.eventType,
  'delivery.payout': ({ delivery }) => delivery.payout,
  'delivery.deliveredAt': ({ delivery }) => delivery.deliveredAt,
  'delivery.appointmentAt': ({ delivery }) => delivery.appointmentAt ?? null,
  'partner.key': ({ partnerKey }) => partnerKey,
  test: ({ isTest }) => isTest,
} as const satisfies Record<string, Read>;

/** Without own fields and secrets, whose names are configured. */
const standardNames: readonly string[] = Object.keys(NAMES);

const OWN_FIELDS = 'lead.fields.';
const SECRETS = 'secret.';

/** Names that depend on the configuration; null where it is not known, so that any name is accepted. */
export type KnownNames = { readonly ownFields: ReadonlySet<string> | null };

export type Source =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly read: Read }
  | { readonly kind: 'secret'; readonly name: string };

/** Where an expression takes its value from; an error if it names what there is not. */
export function sourceOf({ root, offset }: Expression, { ownFields }: KnownNames): Source | TemplateFault {
  if ('text' in root) return { kind: 'text', text: root.text };
  const name = root.path.join('.');
  if (Object.hasOwn(NAMES, name)) return { kind: 'value', read: NAMES[name as keyof typeof NAMES] };
  if (name.startsWith(SECRETS)) {
    const secret = name.slice(SECRETS.length);
    if (SECRET_NAME.test(secret)) return { kind: 'secret', name: secret };
    return { offset, message: `"${secret}" is no name of a secret: lower-case letters, digits and underscores` };
  }
  if (name.startsWith(OWN_FIELDS)) {
    const field = name.slice(OWN_FIELDS.length);
    if (ownFields === null || ownFields.has(field)) return { kind: 'value', read: ownField(field) };
    return { offset, message: `no vertical has the field "${field}"${hint(field, [...ownFields])}` };
  }
  return { offset, message: `there is no "${name}"${hint(name, standardNames)}` };
}

/** As it was posted with the number, or as a member of its own. */
function phoneExtension({ extra }: LeadFields): TemplateValue {
  const extension = Object.hasOwn(extra, 'phone_extension') ? extra['phone_extension'] : null;
  return typeof extension === 'string' || typeof extension === 'number' ? String(extension) : null;
}

/** Null for a lead whose vertical has no such field. */
function ownField(field: string): Read {
  return ({ own }) => (own !== null && Object.hasOwn(own, field) ? (own[field] ?? null) : null);
}

function hint(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  return ` (did you mean ${closest(name, [...known])}?)`;
}
