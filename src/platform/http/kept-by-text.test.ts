import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { createLog } from '../log.ts';
import type { App } from './app.ts';
import { keptByText } from './kept-by-text.ts';
import { createServer } from './server.ts';

/** An application with one route; schemas of the same text are never the same object. */
async function openApp(thing: object): Promise<App> {
  const app = createServer({ log: createLog('silent'), trustProxy: [] });
  app.addSchema({ $id: 'Thing', ...thing });
  app.post(
    '/things',
    {
      schema: {
        body: Type.Object({ thing: Type.Ref('Thing') }),
        response: { 200: Type.Object({ thing: Type.Ref('Thing') }) },
      },
    },
    (request) => Promise.resolve({ thing: (request.body as { thing: never }).thing }),
  );
  await app.ready();
  return app;
}

async function send(app: App, thing: unknown): Promise<[status: number, body: string]> {
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/things', body: { thing } });
  return [statusCode, body];
}

describe('what is kept by the text of a schema', () => {
  it('is made once for equal schemas, also where it is null', () => {
    let made = 0;
    const kept = keptByText(() => {
      made += 1;
      return null;
    });
    for (const schema of [{ type: 'string' }, { type: 'string' }, { type: 'number' }]) expect(kept(schema)).toBeNull();
    expect(made).toBe(2);
  });

  it('does not mix up applications whose shared schemas have the same name', async () => {
    const texts = await openApp({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });
    const numbers = await openApp({ type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] });
    const again = await openApp({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });
    for (const app of [texts, again, texts]) {
      expect(await send(app, { size: 'L', more: 1 })).toEqual([200, '{"thing":{"size":"L"}}']);
      expect((await send(app, { size: 7 }))[0]).toBe(422);
    }
    expect(await send(numbers, { size: 7 })).toEqual([200, '{"thing":{"size":7}}']);
    expect((await send(numbers, { size: 'L' }))[0]).toBe(422);
    await Promise.all([texts, numbers, again].map((app) => app.close()));
  });

  it('tells the errors of each request apart, though applications share a validator', async () => {
    const schema = { type: 'object', properties: { size: { type: 'string' } }, required: ['size'] };
    const [one, other] = [await openApp(schema), await openApp(schema)];
    const [wrong, right, missing] = await Promise.all([
      send(one, { size: 7 }),
      send(other, { size: 'L' }),
      send(other, {}),
    ]);
    expect(wrong[1]).toContain('must be');
    expect(right[0]).toBe(200);
    expect(missing[1]).toContain('required');
    await Promise.all([one.close(), other.close()]);
  });
});
