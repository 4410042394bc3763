// What operators are called: a word that can be typed, spoken and written into a log (decision 022).

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function isOperatorName(text: string): boolean {
  return NAME.test(text);
}
