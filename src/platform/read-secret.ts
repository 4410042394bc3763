// Reads a secret from whoever runs a command: typed at a terminal without showing it, or from standard input (contract 7.8).
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';

import type { CliStream } from './cli-output.ts';

export type SecretInput = Readable & {
  readonly isTTY?: boolean | undefined;
  readonly setRawMode?: ((raw: boolean) => unknown) | undefined;
};

const INTERRUPTED = '\u0003';
const END = new Set(['\r', '\n', '\u0004']);
const BACK = new Set(['\u0008', '\u007f']);

export function isTerminal(input: SecretInput): boolean {
  return input.isTTY === true;
}

/** All that comes, without the line break at its end. */
export async function readPiped(input: SecretInput): Promise<string> {
  return (await text(input)).replace(/\r?\n$/, '');
}

/** One line typed at a terminal that shows nothing of it; null where whoever types gave up with Ctrl-C. */
export async function readTyped(input: SecretInput, output: CliStream, prompt: string): Promise<string | null> {
  output.write(prompt);
  input.setRawMode?.(true);
  try {
    return await line(input);
  } finally {
    input.setRawMode?.(false);
    input.pause();
    output.write('\n');
  }
}

function line(input: SecretInput): Promise<string | null> {
  let typed: string[] = [];
  const decoder = new StringDecoder('utf8');
  return new Promise((resolve, reject) => {
    const end = (value: string | null): void => {
      input.off('data', onData).off('error', reject).off('end', onEnd);
      resolve(value);
    };
    const onEnd = (): void => end(null);
    const onData = (chunk: Buffer): void => {
      for (const character of decoder.write(chunk)) {
        if (END.has(character)) return end(typed.join(''));
        if (character === INTERRUPTED) return end(null);
        if (BACK.has(character)) typed = typed.slice(0, -1);
        else typed.push(character);
      }
    };
    input.on('data', onData).on('error', reject).on('end', onEnd).resume();
  });
}
