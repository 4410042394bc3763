// The command `operator`: manages the operators of the console (contract 7.8; decision 022).
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';

import { commandLineActor } from '../audit/audit-event.ts';
import type { Uuid } from '../base/ids.ts';
import type { CliContext } from '../platform/cli.ts';
import {
  addPageOptions,
  idCursor,
  LIMIT_MAX,
  nameCursor,
  type PageOptions,
  printPages,
} from '../platform/cli-pages.ts';
import type { CliStream } from '../platform/cli-output.ts';
import type { Tx } from '../platform/database/database.ts';
import { isTerminal, readPiped, readTyped, type SecretInput } from '../platform/read-secret.ts';
import { addOperator } from './add-operator.ts';
import {
  resetSecondFactor,
  setOperatorDisabled,
  setOperatorPassword,
  setOperatorRole,
  signOutOperator,
} from './change-operator.ts';
import { type ListedOperator, listOperators, operatorExists } from './list-operators.ts';
import { type ListedSession, listSessions, SESSIONS_SHOWN } from './list-sessions.ts';
import { newTotpSecret, totpUri } from './one-time-code.ts';
import { isOperatorName, type OperatorRole, operatorRoles, PASSWORD_MAX, PASSWORD_MIN } from './operator.rules.ts';
import { hashPassword } from './password.ts';

export type OperatorCliContext = CliContext & {
  readonly stdin: SecretInput;
  /** Where prompts are written. */
  readonly prompts: CliStream;
};

const cursor = nameCursor((operator: ListedOperator) => operator.name);
const sessionCursor = idCursor('session', (session: ListedSession) => session.sessionId);
const STDIN_HELP = 'read the password from standard input instead of asking for it';
type PasswordOptions = { readonly passwordStdin?: boolean };
type AddOptions = PasswordOptions & { readonly totp?: boolean; readonly role: OperatorRole };

export function registerOperatorCommands(operator: Command, context: OperatorCliContext): void {
  operator
    .command('add')
    .description('add an operator who can sign in to the console')
    .addArgument(nameArgument())
    .addOption(new Option('--role <role>', 'what the operator may do').choices(operatorRoles).default('admin'))
    .option('--totp', 'ask for a one-time code of an authenticator app as well')
    .option('--password-stdin', STDIN_HELP)
    .action((name: string, options: AddOptions) => add(context, name, options));
  operator
    .command('set-role')
    .description('give an operator another role; open sessions have it within two seconds')
    .addArgument(nameArgument())
    .addArgument(new Argument('<role>').choices(operatorRoles))
    .action((name: string, role: OperatorRole) => setRole(context, name, role));
  operator
    .command('reset-totp')
    .description('remove the second factor of an operator who lost it, and sign the operator out')
    .addArgument(nameArgument())
    .action((name: string) => resetTotp(context, name));
  addPageOptions(operator.command('list'), { cursor, limit: LIMIT_MAX })
    .description('list operators by name')
    .action((options: PageOptions<string>) => list(context, options));
  operator
    .command('password')
    .description('set a new password and end all sessions of the operator')
    .addArgument(nameArgument())
    .option('--password-stdin', STDIN_HELP)
    .action((name: string, options: PasswordOptions) => setPassword(context, name, options));
  operator
    .command('disable')
    .description('sign an operator out and refuse further sign-ins')
    .addArgument(nameArgument())
    .action((name: string) => setDisabled(context, name, true));
  operator
    .command('enable')
    .description('allow a disabled operator to sign in again')
    .addArgument(nameArgument())
    .action((name: string) => setDisabled(context, name, false));
  addPageOptions(operator.command('sessions'), { cursor: sessionCursor, limit: SESSIONS_SHOWN })
    .description('list the open sessions of an operator, newest first')
    .addArgument(nameArgument())
    .action((name: string, options: PageOptions<Uuid>) => sessions(context, name, options));
  operator
    .command('sign-out')
    .description('end all sessions of an operator')
    .addArgument(nameArgument())
    .action((name: string) => signOut(context, name));
}

function nameArgument(): Argument {
  return new Argument('<name>', 'lowercase letters, digits and . _ -').argParser((text) => {
    if (isOperatorName(text)) return text;
    throw new InvalidArgumentError('Use up to 63 lowercase letters, digits and . _ -, such as dana.');
  });
}

async function add(
  context: OperatorCliContext,
  name: string,
  { totp = false, role, ...options }: AddOptions,
): Promise<void> {
  const { withDatabase, clock, out } = context;
  const password = await askForPassword(context, options);
  if (password === null) return;
  const passwordHash = await hashPassword(password);
  const totpSecret = totp ? newTotpSecret() : null;
  const input = { name, passwordHash, totpSecret, role, actor: commandLineActor };
  const added = await withDatabase((database) => database.tx((tx) => addOperator(tx, input, clock.now())));
  if (!added.ok) return out.refuse(added.code, `An operator ${name} exists already. Choose another name.`);
  const setUp = totpSecret === null ? null : { totpSecret, totpUri: totpUri(name, totpSecret) };
  const app =
    setUp === null
      ? ''
      : `\n\nFor the authenticator app, shown this once:\n${setUp.totpUri}\nor, typed in by hand: ${setUp.totpSecret}`;
  out.print({ json: { operator: name, role, ...setUp }, text: `${name} may sign in to the console as ${role}.${app}` });
}

async function setPassword(context: OperatorCliContext, name: string, options: PasswordOptions): Promise<void> {
  const password = await askForPassword(context, options);
  if (password === null) return;
  const passwordHash = await hashPassword(password);
  const change = { name, passwordHash, actor: commandLineActor };
  await applyChange(context, name, {
    work: (tx, now) => setOperatorPassword(tx, change, now),
    says: 'has a new password',
  });
}

function setDisabled(context: OperatorCliContext, name: string, disabled: boolean): Promise<void> {
  return applyChange(context, name, {
    work: (tx, now) => setOperatorDisabled(tx, { name, disabled, actor: commandLineActor }, now),
    says: disabled ? 'is disabled' : 'may sign in',
  });
}

function signOut(context: OperatorCliContext, name: string): Promise<void> {
  return applyChange(context, name, {
    work: (tx, now) => signOutOperator(tx, { name, actor: commandLineActor }, now),
    says: 'is signed out',
  });
}

function setRole(context: OperatorCliContext, name: string, role: OperatorRole): Promise<void> {
  return applyChange(context, name, {
    work: (tx, now) => setOperatorRole(tx, { name, role, actor: commandLineActor }, now),
    says: `has the role ${role}`,
  });
}

function resetTotp(context: OperatorCliContext, name: string): Promise<void> {
  return applyChange(context, name, {
    work: (tx, now) => resetSecondFactor(tx, { name, actor: commandLineActor }, now),
    says: 'has no second factor',
  });
}

type Change = {
  readonly work: (tx: Tx, now: Date) => ReturnType<typeof setOperatorRole>;
  readonly says: string;
};

async function applyChange(
  { withDatabase, clock, out }: OperatorCliContext,
  name: string,
  change: Change,
): Promise<void> {
  const outcome = await withDatabase((database) => database.tx((tx) => change.work(tx, clock.now())));
  if (!outcome.ok) {
    return outcome.code === 'last_admin'
      ? out.refuse(outcome.code, `${name} is the only administrator: add another one first.`)
      : out.refuse(outcome.code, `There is no operator ${name}.`);
  }
  const { endedSessions } = outcome.value;
  const ended = endedSessions === 0 ? '' : ` Sessions ended: ${endedSessions}.`;
  out.print({ json: { operator: name, endedSessions }, text: `${name} ${change.says}.${ended}` });
}

async function list({ withDatabase, clock, out }: OperatorCliContext, options: PageOptions<string>): Promise<void> {
  const now = clock.now();
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => listOperators(database, page, now),
      json: (operator) => operator,
      columns: ['Name', 'Role', 'One-time code', 'Added', 'Sessions', 'Last seen', 'State'],
      cells: ({ name, role, secondFactor, createdAt, openSessions, lastUsedAt, disabledAt }) => [
        name,
        role,
        secondFactor ? 'yes' : 'no',
        createdAt.toISOString(),
        openSessions,
        lastUsedAt?.toISOString() ?? 'never',
        disabledAt === null ? 'active' : `disabled ${disabledAt.toISOString()}`,
      ],
    }),
  );
}

async function sessions(
  { withDatabase, clock, out }: OperatorCliContext,
  name: string,
  options: PageOptions<Uuid>,
): Promise<void> {
  const now = clock.now();
  const owner = { kind: 'operator', ownerKey: name } as const;
  await withDatabase(async (database) => {
    if (!(await operatorExists(database, name, now)))
      return out.refuse('operator_not_found', `There is no operator ${name}.`);
    return printPages(out, options, {
      cursor: sessionCursor,
      read: (page) => listSessions(database, { ...owner, ...page }, now),
      json: ({ sessionId: _internal, userEmail: _none, ...session }) => session,
      columns: ['Id', 'Where', 'Since', 'Last seen', 'Ends'],
      cells: ({ id, label, createdAt, lastUsedAt, expiresAt }) => [
        id,
        label,
        createdAt.toISOString(),
        lastUsedAt.toISOString(),
        expiresAt.toISOString(),
      ],
    });
  });
}

/** Null after an error was printed. */
async function askForPassword(
  { stdin, prompts, out }: OperatorCliContext,
  { passwordStdin = false }: PasswordOptions,
): Promise<string | null> {
  const refuse = (code: string, message: string): null => {
    out.refuse(code, message);
    return null;
  };
  const typed = !passwordStdin && isTerminal(stdin);
  const password = typed ? await readTyped(stdin, prompts, 'Password: ') : await readPiped(stdin);
  if (password === null) return refuse('interrupted', 'Nothing was changed.');
  if ([...password].length < PASSWORD_MIN || [...password].length > PASSWORD_MAX) {
    return refuse('password_length', `A password must have ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`);
  }
  if (!password.isWellFormed() || /\p{Cc}/u.test(password)) {
    return refuse('password_invalid', 'A password must be one line of text without control characters.');
  }
  if (!typed) return password;
  const again = await readTyped(stdin, prompts, 'Repeat the password: ');
  return again === password
    ? password
    : refuse('password_differs', 'The two passwords differ. Nothing was changed. Try again.');
}
