// What a mail consists of, and what sends one: the same whether there is a mail server or not (contract 5.3).
import type { SendOutcome } from '../send-outcome.ts';

export type Mail = {
  /** The TypeID of what it is about, the same on every attempt: it makes the Message-ID, by which a repeat can be recognised. */
  readonly id: string;
  readonly to: string;
  readonly cc: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** An iCalendar object, which is attached. */
  readonly calendar: string | null;
};

export type Mailer = {
  /** What the server does is an outcome and no rejection. `to` decides it; what becomes of cc is only noted. Ends within 20 s. */
  send(mail: Mail): Promise<SendOutcome>;
  /** Waits for the sendings under way. */
  close(): Promise<void>;
};
