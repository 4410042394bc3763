// Mail servers on loopback: one that implements SMTP and records the mail that it takes, and one that follows a script.
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

import { receiverTls } from '../support/receiver.ts';
import { type ParsedMail, parseMail } from './mail-parts.ts';

export type TakenMail = {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly isSecure: boolean;
  readonly user: unknown;
  readonly mail: ParsedMail;
};

export type MailServer = {
  /** `smtp://127.0.0.1:PORT`, or smtps. */
  readonly url: string;
  readonly port: number;
  /** In the order in which they were taken. */
  readonly taken: TakenMail[];
  /** Connections so far. */
  readonly connections: () => number;
  /** Ends the connections that are open, and goes on listening. */
  hangUp(): void;
  close(): Promise<void>;
};

export type MailServerOptions = {
  /** TLS from the first byte. */
  readonly secure?: boolean;
  readonly offersStartTls?: boolean;
  /** Who may log in; without it nobody has to. */
  readonly login?: { readonly user: string; readonly pass: string };
  /** A reply with its code, for what is refused; null takes it. */
  readonly onRecipient?: (address: string) => string | null;
  readonly onMessage?: (mail: ParsedMail) => string | null;
};

export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { secure = false, offersStartTls = false, login, onRecipient, onMessage } = options;
  const taken: TakenMail[] = [];
  let connections = 0;
  const settings: SMTPServerOptions = {
    ...receiverTls,
    secure,
    disabledCommands: offersStartTls ? [] : ['STARTTLS'],
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onConnect(_session, callback) {
      connections += 1;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      if (username === login?.user && password === login?.pass) return callback(null, { user: username });
      callback(replyOf('535 5.7.8 Authentication failed'));
    },
    onRcptTo({ address }, _session, callback) {
      const reply = onRecipient?.(address) ?? null;
      callback(reply === null ? null : replyOf(reply));
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const mail = parseMail(Buffer.concat(chunks));
        const reply = onMessage?.(mail) ?? null;
        if (reply !== null) return callback(replyOf(reply));
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          sender: mailFrom === false ? '' : mailFrom.address,
          recipients: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: session.user,
          mail,
        });
        callback(null, 'OK queued as 4F2A');
      });
    },
  };
  const server = new SMTPServer(settings);
  // A client that does not like the certificate is the client's business.
  server.on('error', () => undefined);
  const open = openSockets(server.server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    port,
    taken,
    connections: () => connections,
    hangUp: () => open.forEach((socket) => socket.destroy()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The server writes the code and the text of an error as its reply. */
function replyOf(reply: string): Error {
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}

/** Replies by command, `CONNECT` for the greeting and `.` for the end of a message; `cut` hangs up, `hang` says nothing. */
export type Script = Partial<Record<'CONNECT' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | '.' | 'RSET' | 'QUIT', string>>;

export type OddServer = { readonly url: string; close(): Promise<void> };

const USUAL: Required<Script> = {
  CONNECT: '220 odd.example ESMTP',
  EHLO: '250 odd.example',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go on',
  '.': '250 OK',
  RSET: '250 OK',
  QUIT: '221 Bye',
};

/** `onHang` is called when it falls silent. */
export async function startOddServer(script: Script, onHang: () => void): Promise<OddServer> {
  const replies: Readonly<Record<string, string>> = { ...USUAL, ...script };
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    const say = (command: string): void => {
      const reply = replies[command] ?? '502 What?';
      if (reply === 'cut') socket.destroy();
      else if (reply === 'hang') onHang();
      else socket.write(`${reply}\r\n`);
    };
    let pending = '';
    let inMessage = false;
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString('latin1');
      for (let end = pending.indexOf('\r\n'); end !== -1; end = pending.indexOf('\r\n')) {
        const line = pending.slice(0, end);
        pending = pending.slice(end + 2);
        if (inMessage && line !== '.') continue;
        const command = inMessage ? '.' : (line.split(' ', 1)[0] ?? '').toUpperCase();
        inMessage = command === 'DATA' && replies['DATA']?.startsWith('354') === true;
        say(command);
      }
    });
    say('CONNECT');
  });
  const open = openSockets(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function openSockets(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}
