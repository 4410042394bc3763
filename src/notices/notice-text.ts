// Types of the texts of notices: who reads them, and what they say (contract 12.3).
import type { NoticeData, NoticeKind } from './notice.ts';

export type NoticeReader = {
  readonly name: string;
  /** An IANA name. */
  readonly timeZone: string;
  readonly currency: string;
};

export type NoticeText = {
  /** One sentence: the subject of the email. */
  readonly title: string;
  readonly sentences: readonly string[];
  readonly facts: ReadonlyArray<readonly [label: string, value: string]>;
  /** The page that helps: its path in the service, and its name there; null for none. */
  readonly page: { readonly path: string; readonly name: string } | null;
};

export type Texts<Kind extends NoticeKind> = {
  readonly [Name in Kind]: (data: NoticeData[Name], reader: NoticeReader) => NoticeText;
};
