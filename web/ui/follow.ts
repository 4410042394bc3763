// Streams the progress of a long request, one JSON document per line.
import type { Endpoint } from './api.ts';
import { BYTES_WITHIN_MS, CUT_OFF, fetchResponse, parsed, RequestError, toRequestError } from './request.ts';

export type Follow<All extends Readonly<Record<string, Endpoint>>> = <Name extends keyof All & `POST ${string}`>(
  name: Name,
  body: All[Name]['body'] & object,
  onLine: (line: NonNullable<All[Name]['lines']>) => void,
) => Promise<NonNullable<All[Name]['lines']>>;

/** `const follow = createFollow<ConsoleApi>()`, for endpoints that have `lines`. */
export function createFollow<All extends Readonly<Record<string, Endpoint>>>(): Follow<All> {
  return follow;
}

/**
 * Passes on each line of the response as it arrives and resolves with the line of kind `end`. Rejects with a RequestError if the request was
 * refused, failed, or was cut off before that line.
 */
async function follow<Line extends { readonly kind: string }>(
  name: string,
  body: object,
  onLine: (line: Line) => void,
): Promise<Line> {
  const path = name.slice('POST '.length);
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetchResponse(path, init, BYTES_WITHIN_MS);
  if (!response.ok) throw toRequestError(path, response.status, await parsed(response));
  let last: Line | null = null;
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as Line;
    if (line.kind === 'problem') throw new RequestError(500, line);
    if (line.kind === 'end') last = line;
    if (line.kind !== 'beat') onLine(line);
  }
  if (last === null) throw CUT_OFF();
  return last;
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw CUT_OFF();
    });
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}
