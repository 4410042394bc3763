// Runs one command of the command line in this process: JSON or tables on standard output, exit 0, 1 (refused) or 2 (usage) (contract 7.1).
import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { parseRfc3339 } from '../base/rfc3339.ts';
import { startOfUtcDay } from '../base/time.ts';
import { type CliOutput, type CliStreams, type ClosableCliOutput, createCliOutput } from './cli-output.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';
import { OutsideError } from './outside-error.ts';

/** The dependencies of a slice's commands. Each `*.cli.ts` has a function (program, context) that adds its commands to `program`. */
export type CliContext = {
  /** Connects for the duration of `work`, to the running database or to one that is started for it. */
  readonly withDatabase: <Value>(work: (database: Database) => Promise<Value>) => Promise<Value>;
  readonly clock: Clock;
  readonly out: CliOutput;
};

/** A command of the program, or a group of commands below one name. */
export type CommandEntry<Context> = {
  /** Its name and arguments in the notation of the help: `apply <file>`. */
  readonly usage: string;
  /** Its line in the help of the program. */
  readonly description: string;
  /** Adds its options, subcommands and action. Loads the modules for it, so that the help and other commands do without them. */
  readonly register: (command: Command, context: Context) => Promise<void> | void;
};

/** Commands that stand together in the help of the program. */
export type CommandGroup<Context> = {
  readonly title: string;
  readonly commands: ReadonlyArray<CommandEntry<Context>>;
};

/** `called` is the name of the command that is called or whose help is asked for; null for the program itself. */
export type Invocation = { readonly out: CliOutput; readonly called: string | null };

export type CommandLine = {
  readonly version: string;
  readonly description: string;
  readonly streams: CliStreams;
  /** Declares all commands, and registers at least the one that is called. */
  readonly register: (program: Command, invocation: Invocation) => Promise<void> | void;
};

/** `argv` without the program's own path. Resolves to the exit code; ends no process and throws nothing. */
export async function runCommand(argv: readonly string[], commandLine: CommandLine): Promise<number> {
  const out = createCliOutput(commandLine.streams, hasJsonOption(argv));
  const requested: string[] = [];
  try {
    const program = await buildProgram(commandLine, { out, called: calledCommand(argv), requested });
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return reportParsing(error, out, requested.join('').trimEnd());
    reportError(error, commandLine.streams, out);
  } finally {
    out.close();
  }
  return out.exitCode;
}

/** Declares the commands of all groups for the help, and registers the called one. */
export async function declareCommands<Context>(
  program: Command,
  groups: ReadonlyArray<CommandGroup<Context>>,
  { called, context }: { readonly called: string | null; readonly context: () => Context | Promise<Context> },
): Promise<void> {
  for (const { title, commands } of groups) {
    // What is added to the program after them, its version and its help, stands in the last group.
    program.commandsGroup(`${title}:`);
    for (const { usage, description, register } of commands) {
      const command = program.command(usage).description(description);
      if (command.name() === called) await register(command, await context());
    }
  }
  program.helpCommand('help [command]', 'display help for command');
}

type Program = Invocation & {
  readonly out: ClosableCliOutput;
  /** Gets the parts of the help or version that was asked for. */
  readonly requested: string[];
};

async function buildProgram(
  { version, description, register }: CommandLine,
  { out, called, requested }: Program,
): Promise<Command> {
  const program = new Command('leadmarket')
    .description(description)
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void requested.push(text),
      // Usage errors; with --json `reportParsing` prints them.
      writeErr: (text) => out.note(text),
    });
  await register(program, { out, called });
  program
    .command('version')
    .description('print the version')
    .action(() => out.print({ json: { version }, text: version }));
  addJsonOption(program);
  return program;
}

/** The first argument that is no option: none of the program's own options takes a value. */
function calledCommand(argv: readonly string[]): string | null {
  const [first, second] = argv.filter((argument) => !argument.startsWith('-'));
  return (first === 'help' ? second : first) ?? null;
}

/** Adds `--json` to every command, so that none can lack it. */
function addJsonOption(command: Command): void {
  command.option('--json', 'print JSON only');
  for (const child of command.commands) addJsonOption(child);
}

/** Searched before parsing, because a parsing error must be JSON, too. Arguments after `--` are not options. */
function hasJsonOption(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json');
}

/** `requested` is the help or the version; with --json it is JSON, too. */
function reportParsing(error: CommanderError, out: CliOutput, requested: string): 0 | 2 {
  if (error.exitCode === 0) {
    out.print({ json: { text: requested }, text: requested });
    return 0;
  }
  // Without a subcommand the library prints the help and has no message of its own.
  const message = error.code === 'commander.help' ? 'a command is missing' : error.message.replace(/^error: /, '');
  if (out.json) out.refuse('usage', message);
  return 2;
}

function reportError(error: unknown, streams: CliStreams, out: CliOutput): void {
  if (error instanceof OutsideError) {
    const cause = error.cause instanceof Error ? error.cause.message : '';
    out.refuse('unavailable', cause === '' ? error.message : `${error.message} (${cause})`);
    return;
  }
  out.refuse('internal_error', error instanceof Error ? error.message : String(error));
  // The stack goes to standard error, so that standard output keeps its format.
  if (error instanceof Error && error.stack !== undefined) streams.stderr.write(`${error.stack}\n`);
}

/** Parses an option with a time: RFC 3339 with seconds and `Z` or an offset, or a day, which means its beginning in UTC. */
export function timeArgument(text: string): Date {
  const day = startOfUtcDay(text);
  const at = day?.getTime() ?? parseRfc3339(text);
  if (at === null)
    throw new InvalidArgumentError('It must be a time such as 2026-11-20T15:04:05Z, or a day such as 2026-11-20.');
  return new Date(at);
}

/** Parses an option with a whole number from `min` to `max`. */
export function countArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,15}$/.test(text) ? Number(text) : -1;
    if (count < min || count > max) throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    return count;
  };
}

/** Parses an option with a text that is stored: a label, a note, a description. */
export function textArgument(maxLength: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '' || trimmed.length > maxLength || !trimmed.isWellFormed() || /\p{Cc}/u.test(trimmed)) {
      throw new InvalidArgumentError(`It must be one line of 1 to ${maxLength} characters.`);
    }
    return trimmed;
  };
}
