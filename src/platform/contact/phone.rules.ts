// Parses phone numbers to E.164 and checks whether the numbering plan has such a line (contract 3.3, 3.5).
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/max/metadata';

// Plus, 7 to 15 ASCII digits, no leading 0, and nothing but these marks between two digits. A single digit behind a point is a decimal.
const WRITTEN = /^\+[1-9](?:[ \-.()]*\d){6,14}$(?<!\.\d)/;
const E164 = /^\+[1-9]\d{6,14}$/;
// In the North American plan every ten digits are possible; only a leading 1 could be the trunk prefix and needs the library to judge.
const NORTH_AMERICAN = /^\+1[2-9]\d{9}$/;

type Plan = { readonly areaCodes: RegExp | null; readonly general: RegExp; readonly lines: RegExp };

// Where the library's metadata (format 4) keeps a country's general pattern, lengths, leading digits and patterns by type of line.
const GENERAL = 2;
const LENGTHS = 3;
const AREA_CODES = 10;
const TYPES = 11;

const northAmericanPlans: readonly Plan[] = (metadata.country_calling_codes['1'] ?? []).map((country) =>
  compilePlan(metadata.countries[country] ?? []),
);

/** Trimmed text → E.164 where the number is possible for its country; null for anything else. */
export function readPhone(text: string): string | null {
  if (NORTH_AMERICAN.test(text)) return text;
  if (!WRITTEN.test(text)) return null;
  const digits = `+${text.replaceAll(/[^0-9]/g, '')}`;
  if (NORTH_AMERICAN.test(digits)) return digits;
  const parsed = parsePhoneNumberFromString(digits);
  // The library has dropped a trunk prefix after the country code, so the length is checked again.
  return parsed?.isPossible() === true && E164.test(parsed.number) ? parsed.number : null;
}

/**
 * Whether the numbering plan has such a line, by the library's full metadata. For +1 the same patterns run compiled, in the library's
 * order: the library compiles several of them anew for each number, which takes 15 µs where the rest of a score takes one.
 */
export function isValidLine(e164: string): boolean {
  if (!NORTH_AMERICAN.test(e164)) return parsePhoneNumberFromString(e164)?.isValid() ?? false;
  const national = e164.slice(2);
  for (const plan of northAmericanPlans) {
    if (plan.areaCodes === null) {
      if (isLineOf(plan, national)) return true;
    } else if (plan.areaCodes.test(national)) return isLineOf(plan, national);
  }
  return false;
}

function isLineOf(plan: Plan, national: string): boolean {
  return plan.general.test(national) && plan.lines.test(national);
}

function compilePlan(country: readonly unknown[]): Plan {
  const types = listOf(country[TYPES]).map(listOf);
  // A type without lengths of its own has its country's. Patterns that cannot have ten digits never match here.
  const patterns = types
    .filter(([pattern, lengths]) => pattern && listOf(lengths ?? country[LENGTHS]).includes(10))
    .map(([pattern]) => String(pattern));
  const areaCodes = country[AREA_CODES];
  return {
    areaCodes: typeof areaCodes === 'string' ? new RegExp(`^(?:${areaCodes})`) : null,
    general: new RegExp(`^(?:${String(country[GENERAL])})$`),
    lines: new RegExp(`^(?:${patterns.join('|')})$`),
  };
}

// The metadata writes 0 for "nothing".
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
