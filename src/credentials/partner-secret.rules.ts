// What a named secret of a partner may be (contract 13.3).

export const SECRET_NAME = /^[a-z][a-z0-9_]{0,62}$/;
const VALUE_LENGTH_MIN = 4;
const VALUE_LENGTH_MAX = 4_000;

export type SecretFault = { readonly member: 'name' | 'value'; readonly message: string };

/** A value must fit into a header, and be long enough to be masked where a response echoes it. */
export function checkSecret({ name, value }: { readonly name: string; readonly value: string }): SecretFault | null {
  if (!SECRET_NAME.test(name)) {
    const message = 'must be 1 to 63 lower-case letters, digits and underscores, beginning with a letter';
    return { member: 'name', message };
  }
  if (value.length < VALUE_LENGTH_MIN || value.length > VALUE_LENGTH_MAX) {
    return { member: 'value', message: `must have ${VALUE_LENGTH_MIN} to ${VALUE_LENGTH_MAX} characters` };
  }
  const isLine = value.isWellFormed() && !/\p{Cc}/u.test(value) && value.trim() === value;
  return isLine ? null : { member: 'value', message: 'must be one line without white space around it' };
}
