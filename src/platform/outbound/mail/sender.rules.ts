// Parses the mail settings of the environment: the sender's address and the SMTP server (contract 8.3).

/** `domain` is also the right side of Message-IDs. */
export type Sender = { readonly name: string; readonly address: string; readonly domain: string };

export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** Sends nothing without STARTTLS: `?requireTLS=true` in the URL. */
  readonly requireTLS: boolean;
};

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)$/;
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** `leads@example.com` or `Name <leads@example.com>`; null for anything else. A domain without a dot is allowed for private networks. */
export function parseSender(text: string): Sender | null {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  const domain = ADDRESS.exec(address)?.[1];
  return domain === undefined ? null : { name: name.trim().replace(/^"(.*)"$/, '$1'), address, domain };
}

/** Without MAIL_FROM: the server's user if it is an address, because many servers accept no other sender; else this machine. */
export function senderOf({
  mailFrom,
  smtpUrl,
  hostname,
}: {
  readonly mailFrom: string | null;
  readonly smtpUrl: string | null;
  readonly hostname: string;
}): Sender {
  const user = smtpUrl === null ? null : mailServerOf(smtpUrl).auth?.user;
  const domain = HOST.test(hostname) ? hostname : 'localhost';
  return (
    (mailFrom === null ? null : parseSender(mailFrom)) ??
    parseSender(user ?? '') ?? { name: '', address: `lead-marketplace@${domain}`, domain }
  );
}

/** `id` is a TypeID, so nothing in it has to be quoted. */
export function messageIdOf(id: string, { domain }: Pick<Sender, 'domain'>): string {
  return `<${id}@${domain}>`;
}

export function mailServerOf(smtpUrl: string): MailServer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    auth: username === '' ? null : { user: decoded(username), pass: decoded(password) },
    requireTLS: searchParams.get('requireTLS') === 'true',
  };
}

/** Text with an invalid percent encoding is taken literally. */
function decoded(text: string): string {
  return /%(?![0-9A-Fa-f]{2})/.test(text) ? text : decodeURIComponent(text);
}
