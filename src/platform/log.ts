// Creates the process's log: JSON lines on standard output without personal data, credentials or secrets, at any level (contract 8.5).
import { AssertionError } from 'node:assert';

import pino, { type DestinationStream, type Logger } from 'pino';

import type { LogLevel } from './config.ts';
import { OutsideError } from './outside-error.ts';

/** Members whose values are never logged, at any depth. In lower case, without `_` and `-`. */
const HIDDEN_NAMES = new Set(
  (
    'authorization xapikey apikey cookie setcookie headers rawheaders query querystring url originalurl body rawbody payload ' +
    'parameters params values detail secret previoussecret password token presented email notificationemail ccemails phone ' +
    'smsnumber fullname firstname lastname businessname leadip ip remoteaddress externalid consenttext databaseurl ' +
    'connectionstring smtpurl'
  ).split(' '),
);
const HIDDEN = '[hidden]';
// Deeper values are logged as their kind, without their content.
const DEEPEST = 5;
const FRAMES = 12;

/** A logger for the whole process. `destination` is for tests. */
export function createLog(
  level: LogLevel,
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (record) => clean(record, 0) as Record<string, unknown>,
      },
      // These also serve the bindings of child loggers, which the formatter does not see.
      serializers: { err: describeError, req: () => undefined, res: () => undefined },
      redact: {
        paths: [
          ...['authorization', 'cookie', 'email', 'phone', 'fullName', 'firstName', 'middleName', 'lastName'],
          ...['leadIp', 'secret'],
        ],
        censor: HIDDEN,
      },
      hooks: {
        // Without a message pino would log the error's, which may quote any value.
        logMethod(args, method) {
          const [first, message] = args as unknown as [unknown, string | undefined];
          if (first instanceof Error) method.apply(this, [{ err: first }, message ?? first.name]);
          else if (isRecord(first) && first['err'] instanceof Error && message === undefined) {
            method.apply(this, [first, first['err'].name]);
          } else method.apply(this, args);
        },
      },
    },
    destination,
  );
}

/**
 * The loggable parts of an error: its type, its code and its stack. Its message only when this project wrote it, because
 * other messages quote values (`Key (email)=(…)`, `"Jane Doe…" is not valid JSON`).
 */
function describeError(error: unknown): unknown {
  return error instanceof Error ? ofError(error, 0) : clean(error, 0);
}

function ofError(error: Error, depth: number): Record<string, unknown> {
  const { code, constraint, syscall } = error as { code?: unknown; constraint?: unknown; syscall?: unknown };
  const ours = error instanceof OutsideError || (error instanceof AssertionError && !error.generatedMessage);
  return {
    type: error.name,
    ...(typeof code === 'string' ? { code } : {}),
    ...(ours ? { message: error.message } : {}),
    // Names of constraints and of system calls.
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(typeof syscall === 'string' ? { syscall } : {}),
    at: frames(error.stack),
    ...(error.cause instanceof Error && depth < DEEPEST ? { cause: ofError(error.cause, depth + 1) } : {}),
  };
}

/** The stack without its first lines, which repeat the message. */
function frames(stack: string | undefined): string[] {
  return (stack ?? '')
    .split('\n')
    .filter((line) => /^ {4}at (?:[^ ].* \()?(?:node:|file:|\/|[A-Z]:\\)[^()]*:\d+:\d+\)?$/.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim().slice(3));
}

function clean(value: unknown, depth: number): unknown {
  if (value instanceof Error) return ofError(value, depth);
  if (value instanceof Date || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value))
    return depth >= DEEPEST ? `[${value.length} items]` : value.map((item) => clean(item, depth + 1));
  if (!isRecord(value) || depth >= DEEPEST) return '[object]';
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      HIDDEN_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, '')) ? HIDDEN : clean(item, depth + 1),
    ]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
