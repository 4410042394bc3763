// The keys that seal named secrets: from the environment, or from a file beside the embedded database (contract 8.3, 13.3).
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import { OutsideError } from '../outside-error.ts';
import { newKeyText, parseKey, type SecretKey } from './seal.ts';

export type SecretKeys = {
  /** The key that seals; throws if there is none. With a key file, one is made. */
  current(): SecretKey;
  /** Null if the key is not known. */
  find(id: string): SecretKey | null;
  /** Null where the keys come from the environment, which only the operator can change. */
  readonly file: SecretKeyFile | null;
};

export type SecretKeyFile = {
  /** Puts a new key before the present ones, unless an earlier rotation has not ended. Returns whether it did. */
  addKey(): boolean;
  /** Ends a rotation: drops all keys but the first. */
  dropOldKeys(): void;
};

export type SecretKeyConfig = {
  /** Keys in base64 or hex, separated by white space or commas, the current one first; null if none is set. */
  readonly secretsKey: string | null;
  readonly dataDir: string;
  /** Null for the embedded database, beside which the key file is. */
  readonly databaseUrl: string | null;
};

const FILE = 'secrets-key';
const MISSING =
  'There is no key to seal secrets with: set SECRETS_KEY, or SECRETS_KEY_FILE, to 32 random bytes in base64, as of `openssl rand -base64 32`.';

/** Null if a key is malformed. */
export function parseKeys(text: string): SecretKey[] | null {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseKey);
  return keys.length === 0 || keys.includes(null) ? null : keys.filter((key) => key !== null);
}

/** Reads nothing yet. */
export function openSecretKeys({ secretsKey, dataDir, databaseUrl }: SecretKeyConfig): SecretKeys {
  if (secretsKey !== null) return fixedKeys(parseKeys(secretsKey) ?? []);
  return databaseUrl === null ? keysOfFile(dataDir) : fixedKeys([]);
}

function fixedKeys(keys: readonly SecretKey[]): SecretKeys {
  return {
    current() {
      const [current] = keys;
      if (current === undefined) throw new OutsideError('configuration_faulty', MISSING, { retryable: false });
      return current;
    },
    find: (id) => keys.find((key) => key.id === id) ?? null,
    file: null,
  };
}

/** Another process may rotate the key: what seals is read each time, what opens only if a key is not known yet. */
function keysOfFile(dataDir: string): SecretKeys {
  const path = join(dataDir, FILE);
  let known: readonly SecretKey[] = [];
  const read = (): readonly SecretKey[] => (known = readKeys(path));
  const current = (): SecretKey => {
    const [first] = read();
    if (first !== undefined) return first;
    writeNew(dataDir, path);
    const [made] = read();
    if (made === undefined) throw new OutsideError('configuration_faulty', `${path} has no key.`, { retryable: false });
    return made;
  };
  return {
    current,
    find: (id) => known.find((key) => key.id === id) ?? read().find((key) => key.id === id) ?? null,
    file: {
      addKey() {
        current();
        const texts = readTexts(path);
        if (texts.length > 1) return false;
        replace(path, [newKeyText(), ...texts]);
        return true;
      },
      dropOldKeys: () => replace(path, readTexts(path).slice(0, 1)),
    },
  };
}

function readTexts(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .split(/\s+/)
      .filter((text) => text !== '');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return [];
    throw fileFault(path, error);
  }
}

function readKeys(path: string): SecretKey[] {
  const texts = readTexts(path);
  const keys = texts.length === 0 ? [] : parseKeys(texts.join(' '));
  if (keys === null)
    throw new OutsideError('configuration_faulty', `${path} has something else than keys.`, { retryable: false });
  return keys;
}

/** Of two processes that begin at once, the file of the first one stays. */
function writeNew(dataDir: string, path: string): void {
  try {
    mkdirSync(dataDir, { recursive: true });
    const draft = writeDraft(path, [newKeyText()]);
    try {
      linkSync(draft, path);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw fileFault(path, error);
  }
}

function replace(path: string, texts: readonly string[]): void {
  try {
    renameSync(writeDraft(path, texts), path);
  } catch (error) {
    throw fileFault(path, error);
  }
}

/** On the disk before anything is sealed with its keys: a key that is lost cannot be made again. */
function writeDraft(path: string, texts: readonly string[]): string {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `${texts.join('\n')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return draft;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function fileFault(path: string, cause: unknown): OutsideError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OutsideError('configuration_faulty', `The key file ${path} cannot be used: ${reason}`, {
    cause,
    retryable: false,
  });
}
