// Reads a secret for a command: typed at a terminal without echo, or from standard input (contract 7.8).
import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { CliStream } from './cli-output.ts';

export type SecretInput = Readable & {
  readonly isTTY?: boolean | undefined;
  readonly setRawMode?: ((raw: boolean) => unknown) | undefined;
};

export function isTerminal(input: SecretInput): boolean {
  return input.isTTY === true;
}

/** Reads to the end; drops one line break at the end. */
export async function readPiped(input: SecretInput): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '');
}

/** Reads one line typed at a terminal, without echo; null after Ctrl-C and when the terminal closes. */
export async function readTyped(input: SecretInput, output: CliStream, prompt: string): Promise<string | null> {
  output.write(prompt);
  const mute = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: mute, terminal: true, historySize: 0 });
  try {
    return await new Promise((resolve, reject) => {
      terminal.once('line', resolve).once('error', reject);
      for (const event of ['SIGINT', 'close']) terminal.once(event, () => resolve(null));
    });
  } finally {
    terminal.close();
    output.write('\n');
  }
}
