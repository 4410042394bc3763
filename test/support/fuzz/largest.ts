// Makes the largest bodies and queries that a route takes, in the shapes that cost the most to read.
import type { RegisteredRoute } from '../routes.ts';
import type { Json } from '../scope-app.ts';
import { percent } from './percent.ts';

export type LargeInput = { readonly shape: string; readonly query: string; readonly body: Buffer | null };

/** Of routes that state none (contract 1.6). */
const BODY_BYTES = 64 * 1024;
/** With the path and the headers below what the server takes. */
const QUERY_LENGTH = 12_000;
const LEVELS = 60;

/** The first one is the query. */
export function largestInputs({ method, schema, config, bodyLimit = BODY_BYTES }: RegisteredRoute): LargeInput[] {
  const query = { shape: 'query', query: largestQuery(schema?.querystring as Json), body: null };
  if (!['POST', 'PUT', 'PATCH'].includes(method)) return query.query === '' ? [] : [query];
  if (config?.binaryBody === true) return [{ shape: 'bytes', query: '', body: Buffer.alloc(bodyLimit, 'a') }];
  if (config?.emptyBody === true && schema?.body === undefined) return [];
  const body = schema?.body as Json;
  const shapes: Readonly<Record<string, () => string>> = {
    members: () => `{${repeated((index) => `"m${index}":0`, bodyLimit - 2)}}`,
    texts: () => withTexts(body, bodyLimit),
    items: () => withItems(body, bodyLimit),
    numbers: () => `{"m":[${repeated((index) => `0.${index}12345678901234567`, bodyLimit - 8)}]}`,
    levels: () => `{"m":[${repeated(() => '['.repeat(LEVELS) + ']'.repeat(LEVELS), bodyLimit - 8)}]}`,
  };
  // The texts of the others are read by other threads or in slices, which takes long and is measured where they are tested.
  const made = Object.entries(shapes).filter(([shape]) => shape !== 'texts' || bodyLimit === BODY_BYTES);
  return made.map(([shape, make]) => ({ shape, query: '', body: Buffer.from(make()) }));
}

/** As many parts with commas between them as fit. */
function repeated(part: (index: number) => string, bytes: number): string {
  const parts: string[] = [];
  for (let [length, index] = [0, 0]; ; index += 1) {
    const next = part(index);
    length += next.length + 1;
    if (length > bytes) return parts.join(',');
    parts.push(next);
  }
}

function largestQuery(schema: Json): string {
  const names = Object.entries((schema?.properties ?? {}) as Record<string, Json>)
    .filter(([, member]) => JSON.stringify(member).includes('"string"'))
    .map(([name]) => name);
  if (names.length === 0) return '';
  const each = Math.floor(QUERY_LENGTH / names.length);
  return `?${names.map((name) => `${percent(name)}=${'a,'.repeat(Math.floor((each - name.length - 2) / 2))}`).join('&')}`;
}

/** Every text as long as it may be, or all together as long as the body. */
function withTexts(schema: Json, bytes: number): string {
  const members = Object.entries((schema?.properties ?? { text: { type: 'string' } }) as Record<string, Json>);
  const texts = members.filter(([, member]) => JSON.stringify(member).includes('"string"'));
  const each = Math.floor((bytes - 2) / Math.max(1, texts.length)) - 40;
  const made = texts.map(([name, member]) => {
    const most = Math.min(each, Number(/"maxLength":(\d+)/.exec(JSON.stringify(member))?.[1] ?? each));
    return [name, 'a\n'.repeat(Math.max(1, Math.floor(most / 3))).slice(0, most)];
  });
  return JSON.stringify({ ...numbersOf(members), ...Object.fromEntries(made) }).slice(0, bytes);
}

function numbersOf(members: ReadonlyArray<[string, Json]>): object {
  return Object.fromEntries(
    members.filter(([, { type }]) => type === 'integer').map(([name, { minimum = 1 }]) => [name, minimum]),
  );
}

/** Each list of the body with as many items as fit, each with the members of its schema. */
function withItems(schema: Json, bytes: number): string {
  const lists = Object.entries((schema?.properties ?? {}) as Record<string, Json>).filter(
    ([, { type, items }]) => type === 'array' && items !== undefined,
  );
  if (lists.length === 0) return `{"m":[${repeated(() => '{"a":""}', bytes - 8)}]}`;
  const each = Math.floor((bytes - 2) / lists.length) - 40;
  const itemOf = (items: Json, index: number): string =>
    JSON.stringify(
      items.type === 'object'
        ? Object.fromEntries(Object.keys((items.properties ?? {}) as object).map((name) => [name, `x${index}`]))
        : `x${index}`,
    );
  return `{${lists.map(([name, { items }]) => `${JSON.stringify(name)}:[${repeated((index) => itemOf(items, index), each - name.length)}]`).join(',')}}`;
}
