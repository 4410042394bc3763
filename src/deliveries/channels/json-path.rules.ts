// Reads one value out of a JSON document by a path such as `lead.id`, `errors[0].code` or `["odd name"]` (contract 13.2).

export type JsonPath = ReadonlyArray<string | number>;

const STEP = /(?:^|\.)([A-Za-z_$][\w$-]*)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y;
const STEPS_MAX = 20;

/** Null if the text is no path. A leading `$` stands for the document. */
export function parseJsonPath(text: string): JsonPath | null {
  const steps: Array<string | number> = [];
  const start = text === '$' || /^\$[.[]/.test(text) ? 1 : 0;
  // The text after `$` begins with a dot or a bracket; without `$` the first name has no dot.
  STEP.lastIndex = start;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (match === null || steps.length === STEPS_MAX) return null;
    const [, name, index, quoted] = match;
    if (quoted !== undefined) {
      const key = quotedName(quoted);
      if (key === null) return null;
      steps.push(key);
    } else steps.push(index === undefined ? (name ?? '') : Number(index));
  }
  return start === 0 && steps.length === 0 ? null : steps;
}

function quotedName(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch (error) {
    // An escape that JSON does not know.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Undefined if the document has no such value. */
export function valueAt(document: unknown, path: JsonPath): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    if (Array.isArray(value) && typeof step !== 'number') return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}
