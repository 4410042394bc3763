// Renders notices to partners by e-mail: what happened, what stops, and what they can do (contract 4.11).
import {
  localTime,
  type MailPage,
  pageHtml,
  type PageRow,
  pageText,
} from '../platform/outbound/mail/mail-page.rules.ts';

/** By type of message: the data that goes with it. */
export type Notices = {
  readonly 'endpoint.disabled': {
    /** Masked, because its path may contain tokens. */
    readonly webhookUrl: string;
    /** `gone`: it responded 410; `failing`: it has accepted nothing since. */
    readonly reason: 'gone' | 'failing';
    /** ISO 8601. */
    readonly since: string;
    /** Deliveries that were still to be sent there. */
    readonly waiting: number;
  };
};
export type NoticeType = keyof Notices;

/** `timeZone` is an IANA name. */
export type NoticeReader = { readonly name: string; readonly timeZone: string };
export type NoticeMail = { readonly subject: string; readonly text: string; readonly html: string };

const NOTICES: { readonly [Type in NoticeType]: (data: Notices[Type], reader: NoticeReader) => MailPage } = {
  'endpoint.disabled': endpointDisabled,
};

export function noticeMail<Type extends NoticeType>(type: Type, data: Notices[Type], reader: NoticeReader): NoticeMail {
  const page = NOTICES[type](data, reader);
  return { subject: page.title, text: pageText(page), html: pageHtml(page) };
}

function endpointDisabled(
  { webhookUrl, reason, since, waiting }: Notices['endpoint.disabled'],
  reader: NoticeReader,
): MailPage {
  const at = localTime(new Date(since), reader.timeZone);
  const rows: PageRow[] = [
    { label: 'Webhook URL', value: webhookUrl },
    { label: reason === 'gone' ? 'Responded 410' : 'Failing since', value: at },
    { label: 'Waiting to be sent', value: waiting === 1 ? '1 delivery' : `${waiting} deliveries` },
  ];
  return {
    title: 'Your webhook endpoint is disabled: you get no new leads',
    banner: null,
    paragraphs: [
      reason === 'gone'
        ? 'Your webhook endpoint responded 410 Gone, which means that nothing more should be sent to it. We have stopped.'
        : 'Your webhook endpoint has accepted nothing for a long time, in spite of many retries. We have stopped trying.',
      'While it is disabled, no new leads are sold to you. Deliveries that are waiting to be sent there fail when their turn comes; you are not charged for them.',
      'To receive leads again, set webhookUrl (PATCH /api/v1/buyer/account; the same URL is fine), or ask the operator of the marketplace to enable the endpoint.',
    ],
    groups: [{ heading: 'Endpoint', rows }],
    footer: `Sent to ${reader.name} by the lead marketplace.`,
  };
}
