// What each kind of notice says: what happened, what follows from it, and the page that helps (contract 12.3). Every value is plain text:
// what renders it escapes it.
import type { NoticeKind } from './notice.ts';
import type { NoticeReader, NoticeText, Texts } from './notice-text.ts';
import { operatorTexts } from './operator-notice-text.rules.ts';
import { partnerTexts } from './partner-notice-text.rules.ts';

const TEXTS: Texts<NoticeKind> = { ...partnerTexts, ...operatorTexts };

export function noticeText(kind: string, data: unknown, reader: NoticeReader): NoticeText {
  const text = (TEXTS as Readonly<Record<string, ((data: never, reader: NoticeReader) => NoticeText) | undefined>>)[
    kind
  ];
  // A process of this release may meet a notice that a later one has raised.
  if (text === undefined) return { title: `Notice: ${kind}`, sentences: [], facts: [], page: null };
  return text(data as never, reader);
}
