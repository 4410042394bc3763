// Renders the notices of one message: an email as text and HTML, a chat message, and the subject of a digest (contract 12.3).
import {
  type MailBrand,
  type MailPage,
  oneLine,
  pageHtml,
  type PageRow,
  pageText,
} from '../platform/outbound/mail/mail-page.rules.ts';
import type { NoticeReader, NoticeText } from './notice-text.ts';
import { noticeText } from './notice-text.rules.ts';

export type RenderedNotice = { readonly kind: string; readonly data: unknown };

/** Where links begin, such as `https://leads.example.com`; null: pages are named and not linked. */
export type LinkedReader = NoticeReader & { readonly publicUrl: string | null };

export type NoticeMail = {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly logo: string | null;
};

/** Of one notice, or a digest of several. */
export function noticeMail(notices: readonly RenderedNotice[], reader: LinkedReader, brand: MailBrand): NoticeMail {
  const page = mailPage(notices, reader, brand);
  return { subject: oneLine(page.title), text: pageText(page), html: pageHtml(page, brand), logo: brand.logo };
}

function mailPage(notices: readonly RenderedNotice[], reader: LinkedReader, { name }: MailBrand): MailPage {
  const texts = notices.map(({ kind, data }) => noticeText(kind, data, reader));
  const footer = `Sent to ${reader.name} by ${name}.`;
  const [only] = texts;
  if (only !== undefined && texts.length === 1) {
    const rows = rowsOf(only, reader);
    const groups = rows.length === 0 ? [] : [{ heading: 'Details', rows }];
    return { title: only.title, banner: null, paragraphs: only.sentences, groups, footer };
  }
  return {
    title: `${texts.length} notices`,
    banner: null,
    paragraphs: [],
    groups: texts.map((text) => ({
      heading: oneLine(text.title),
      rows: [
        ...text.sentences.slice(0, 1).map((sentence) => ({ label: 'What', value: sentence })),
        ...rowsOf(text, reader),
      ],
    })),
    footer,
  };
}

function rowsOf({ facts, page }: NoticeText, { publicUrl }: LinkedReader): PageRow[] {
  const rows: PageRow[] = facts.map(([label, value]) => ({ label, value }));
  if (page === null) return rows;
  const href = publicUrl === null ? null : `${publicUrl}${page.path}`;
  // The address itself, so that the plain text has it as well.
  return [...rows, { label: page.name, value: href ?? 'Open it to see more.', href }];
}

const CHAT_NOTICES_MAX = 20;

/** Plain text on a few lines: nothing in it can mention all members of a channel, or become a link with another text. */
export function chatText(notices: readonly RenderedNotice[], reader: LinkedReader): string {
  const shown = notices.slice(0, CHAT_NOTICES_MAX).map(({ kind, data }) => {
    const { title, sentences, page } = noticeText(kind, data, reader);
    const link = page === null || reader.publicUrl === null ? [] : [`${reader.publicUrl}${page.path}`];
    return [title, ...(notices.length === 1 ? sentences : []), ...link].map(inChat).join('\n');
  });
  const more = notices.length - shown.length;
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n\n');
}

/** `<!channel>`, `<url|text>` and `@everyone` are commands of chats. */
function inChat(text: string): string {
  return oneLine(text).replaceAll('<', '‹').replaceAll('>', '›').replaceAll('@', '@\u200B');
}
