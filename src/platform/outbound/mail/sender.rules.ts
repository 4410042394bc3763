// Who mail comes from and which server takes it, as the environment says it (contract 8.3).

/** `domain` also names our side in Message-IDs. */
export type Sender = { readonly name: string; readonly address: string; readonly domain: string };

export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  /** Nothing is sent without STARTTLS: `?requireTLS=true` in the URL. */
  readonly requireTLS: boolean;
};

const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)$/;
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;

/** `leads@example.com` or `Name <leads@example.com>`; null for anything else. A domain without a dot is fine inside a network. */
export function parseSender(text: string): Sender | null {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  const domain = ADDRESS.exec(address)?.[1];
  return domain === undefined ? null : { name: name.trim().replace(/^"(.*)"$/, '$1'), address, domain };
}

/** Without MAIL_FROM: who logs in at the server, if that is an address, because servers let no other through; else this machine. */
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

/** `id` is a TypeID, so that nothing in it has to be quoted. */
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

/** What is not percent-encoded properly is meant as it stands. */
function decoded(text: string): string {
  return /%(?![0-9A-Fa-f]{2})/.test(text) ? text : decodeURIComponent(text);
}
