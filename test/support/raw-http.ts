// HTTP as bytes on a socket, for requests that no client library would send and responses that none would show.
import { connect } from 'node:net';

import type { App } from '../../src/platform/http/app.ts';

/** Of an application that listens. */
export function portOf(app: App): number {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the application listens on no port');
  return address.port;
}

export type RawResponse = {
  readonly status: number;
  /** Names in lower case; repeated ones joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type RawConnection = {
  send(bytes: string | Buffer): void;
  /** The next whole answer; null when the server closed before one came. */
  response(): Promise<RawResponse | null>;
  /** Resolves when the server has closed the connection. */
  closed: Promise<void>;
  /** Takes no more bytes from the network. */
  pause(): void;
  destroy(): void;
};

export function openRaw(port: number): RawConnection {
  const socket = connect(port, '127.0.0.1');
  let received = Buffer.alloc(0);
  let ended = false;
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  // A reset is one way of closing; the bytes before it still count.
  socket.on('error', () => socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      ended = true;
      wake();
      resolve();
    });
  });
  return {
    send: (bytes) => void socket.write(bytes),
    async response() {
      for (;;) {
        const parsed = parseResponse(received);
        if (parsed !== null) {
          received = received.subarray(parsed.length);
          if (parsed.response.status >= 200) return parsed.response;
        } else if (ended) {
          return null;
        } else {
          await new Promise<void>((resolve) => (wake = resolve));
        }
      }
    },
    closed,
    pause: () => void socket.pause(),
    destroy: () => void socket.destroy(),
  };
}

/** Sends on a separate connection and closes it after the first response. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const connection = openRaw(port);
  try {
    connection.send(bytes);
    const response = await connection.response();
    if (response === null) throw new Error('the server closed without an answer');
    return response;
  } finally {
    connection.destroy();
  }
}

/** The text of a request with a Host and the length of its body, if any. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string | Buffer,
): Buffer {
  const bytes = body === undefined ? null : Buffer.from(body);
  const lines = Object.entries({
    Host: 'test',
    ...(bytes === null ? {} : { 'Content-Length': String(bytes.length) }),
    ...headers,
  });
  const head = [`${line} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes ?? Buffer.alloc(0)]);
}

/** Not for responses to HEAD, whose length is that of a body which is not sent. */
function parseResponse(bytes: Buffer): { response: RawResponse; length: number } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [line = '', ...fields] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const [name = '', ...value] = field.split(':');
    const key = name.toLowerCase();
    const text = value.join(':').trim();
    headers[key] = headers[key] === undefined ? text : `${headers[key]}, ${text}`;
  }
  const status = Number(line.split(' ')[1]);
  const start = end + 4;
  if (headers['transfer-encoding'] === 'chunked') {
    const last = bytes.indexOf('0\r\n\r\n', start);
    return last === -1
      ? null
      : { response: { status, headers, body: bytes.subarray(start, last).toString('utf8') }, length: last + 5 };
  }
  const length = status < 200 || status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0);
  if (bytes.length < start + length) return null;
  return {
    response: { status, headers, body: bytes.subarray(start, start + length).toString('utf8') },
    length: start + length,
  };
}
