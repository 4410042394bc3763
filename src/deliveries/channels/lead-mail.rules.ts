// Makes the mail for a lead or a booking: subject, plain text, HTML and calendar entry (contract 5.3).
import { formatCents } from '../../base/money.ts';
import type { OwnFields } from '../../leads/lead-fields.ts';
import { isEmail } from '../../platform/contact/email.rules.ts';
import {
  localTime,
  type MailBrand,
  type MailPage,
  oneLine,
  pageHtml,
  type PageRow,
  pageText,
} from '../../platform/outbound/mail/mail-page.rules.ts';
import { appointmentCalendar } from './appointment-calendar.rules.ts';
import type { Parcel, Recipient } from './channel.ts';
import type { DeliveryView } from '../delivery.schema.ts';

export type LeadMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Bookings only. */
  readonly calendar: string | null;
  readonly logo: string | null;
};

/** The marketplace, as the mail shows it. */
export type MailSender = {
  /** The currency code; '' leaves it out. */
  readonly currency: string;
  readonly brand: MailBrand;
};

/** The longest name in a subject, so that the rest of the subject stays visible in a list of mails. */
const NAME_CHARACTERS = 100;
const NOT_GIVEN = 'not given';

export function leadMail(
  { name, timeZone }: Pick<Recipient, 'name' | 'timeZone'>,
  parcel: Pick<Parcel, 'id' | 'isTest' | 'delivery' | 'slotMinutes'> & {
    readonly fields: Pick<Parcel['fields'], 'own'>;
  },
  { currency, brand }: MailSender,
): LeadMail {
  const { delivery, isTest } = parcel;
  const noun = delivery.eventType === 'Calendar Assigned' ? 'Booking' : 'Lead';
  const title = `${noun} ${delivery.deliveryRef}: ${shortName(delivery.lead.fullName)}`;
  const page: MailPage = {
    title,
    banner: isTest ? 'This is a test: nothing was sold, and nothing will be billed.' : null,
    paragraphs: [],
    groups: [
      ...(delivery.appointmentAt === undefined
        ? []
        : [{ heading: 'Appointment', rows: appointmentRows(delivery.appointmentAt, parcel.slotMinutes, timeZone) }]),
      { heading: 'Contact', rows: contactRows(delivery.lead, currency) },
      ...ownGroup(delivery.lead, parcel.fields.own ?? {}, { timeZone, currency }),
      { heading: 'Consent and origin', rows: originRows(delivery.lead) },
      { heading: 'Delivery', rows: deliveryRows(delivery, { timeZone, currency }) },
    ],
    footer: isTest
      ? `Sent to ${name} by ${brand.name} to try out this address.`
      : `Sent to ${name} by ${brand.name}. Your account lists it as ${delivery.deliveryId}.`,
  };
  return {
    subject: isTest ? `[TEST] ${title}` : title,
    text: pageText(page),
    html: pageHtml(page, brand),
    logo: brand.logo,
    calendar: calendarOf(parcel),
  };
}

function shortName(fullName: string): string {
  return [...oneLine(fullName)].slice(0, NAME_CHARACTERS).join('');
}

function appointmentRows(appointmentAt: string, slotMinutes: number | null, timeZone: string): PageRow[] {
  return [
    { label: 'Starts', value: localTime(new Date(appointmentAt), timeZone) },
    ...(slotMinutes === null ? [] : [{ label: 'Length', value: `${slotMinutes} minutes` }]),
  ];
}

function contactRows(lead: DeliveryView['lead'], currency: string): PageRow[] {
  const { fullName, email, phone, state, debtAmount } = lead;
  return [
    { label: 'Name', value: fullName },
    {
      label: 'Phone',
      value: phone ?? NOT_GIVEN,
      href: phone !== null && /^\+\d+$/.test(phone) ? `tel:${phone}` : null,
    },
    { label: 'Email', value: email ?? NOT_GIVEN, href: email !== null && isEmail(email) ? mailto(email) : null },
    { label: 'State', value: state ?? NOT_GIVEN },
    { label: 'Debt amount', value: debtAmount === null ? NOT_GIVEN : amountText(debtAmount, currency) },
  ];
}

type Texts = { readonly timeZone: string; readonly currency: string };

/** Like other text from the form, none is a link. */
function ownGroup({ fields = {} }: DeliveryView['lead'], own: OwnFields, texts: Texts): MailPage['groups'] {
  const rows = Object.entries(fields).map(([name, value]) => ({
    label: own[name]?.label ?? name,
    value: ownText(value, own[name]?.type, texts),
  }));
  return rows.length === 0 ? [] : [{ heading: 'Details', rows }];
}

function ownText(value: string | number | boolean, type: OwnFields[string]['type'] | undefined, texts: Texts): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return type === 'money' ? amountText(value, texts.currency) : String(value);
  return type === 'datetime' ? localTime(new Date(value), texts.timeZone) : value;
}

/** URLs are plain text, not links: they come from the form, and the partner should not be led to untrusted sites. */
function originRows({ tcpaConsent, consentTimestamp, leadIp, utmSource, sourceUrl }: DeliveryView['lead']): PageRow[] {
  return [
    { label: 'TCPA consent', value: tcpaConsent ? 'yes' : 'no' },
    // Exactly as recorded, because it may serve as proof.
    { label: 'Consent given', value: consentTimestamp ?? NOT_GIVEN },
    { label: 'IP address', value: leadIp ?? NOT_GIVEN },
    { label: 'Source', value: utmSource ?? NOT_GIVEN },
    { label: 'Form', value: sourceUrl ?? NOT_GIVEN },
  ];
}

function deliveryRows(
  { deliveryRef, deliveryId, eventType, payout, deliveredAt }: DeliveryView,
  { timeZone, currency }: Texts,
): PageRow[] {
  return [
    { label: 'Reference', value: deliveryRef },
    { label: 'Delivery id', value: deliveryId },
    { label: 'Event', value: eventType },
    { label: 'Payout', value: amountText(payout, currency) },
    { label: 'Delivered', value: localTime(new Date(deliveredAt), timeZone) },
  ];
}

/** `24,500.00 USD` from 24500. */
function amountText(amount: number, currency: string): string {
  const grouped = formatCents(Math.round(amount * 100)).replaceAll(/\B(?=(?:\d{3})+\.)/g, ',');
  return `${grouped} ${currency}`.trimEnd();
}

/** Encodes characters such as `?` and `&`, which would end the address in a URL. */
function mailto(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

function calendarOf({ id, isTest, delivery, slotMinutes }: Pick<Parcel, 'id' | 'isTest' | 'delivery' | 'slotMinutes'>) {
  const { appointmentAt, deliveredAt, deliveryRef, lead } = delivery;
  if (appointmentAt === undefined) return null;
  const contact = [
    ['Name', lead.fullName],
    ['Phone', lead.phone],
    ['Email', lead.email],
    ['Reference', deliveryRef],
  ].flatMap(([label, value]) => (typeof value === 'string' ? [`${label}: ${oneLine(value)}`] : []));
  return appointmentCalendar({
    uid: `${id}@lead-marketplace`,
    startsAt: new Date(appointmentAt),
    minutes: slotMinutes,
    summary: `${isTest ? '[TEST] ' : ''}${shortName(lead.fullName)} (${deliveryRef})`,
    description: contact.join('\n'),
    stampedAt: new Date(deliveredAt),
  });
}
