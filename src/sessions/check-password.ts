// Finds the operator whose name and password these are; an unknown name takes as long as a wrong password (decision 022).
import type { Tx } from '../platform/database/database.ts';
import { type OperatorRow, selectOperator } from './operator.sql.ts';
import { isOperatorName } from './operator-name.rules.ts';
import { hashPassword, isPassword } from './password.ts';

/** Null for an unknown or disabled operator and for a wrong password. */
export async function checkPassword(
  tx: Tx,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<OperatorRow | null> {
  const [operator] = isOperatorName(name) ? await tx.query(selectOperator, { name }) : [];
  const isRight = await isPassword(password, operator?.password ?? (await decoyPassword()));
  return isRight && operator?.disabledAt === null ? operator : null;
}

let made: Promise<string> | null = null;

/** Made once, of something that nobody types. */
function decoyPassword(): Promise<string> {
  made ??= hashPassword(`nobody ${process.hrtime.bigint()}`);
  return made;
}
