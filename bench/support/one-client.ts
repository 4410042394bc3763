// One client on one connection that sends one request after the other: measures the time of a request without other load.
import { Client } from 'undici';

import { percentile } from './numbers.ts';

export type Times = { readonly requests: number; readonly p50Ms: number; readonly p99Ms: number };
export type Input = {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: object;
};

export type OneClient = {
  /** One request each, in their order; the first tenth of them warms up. Every answer has to be 2xx. */
  time(inputs: readonly Input[]): Promise<Times>;
  /** Milliseconds of one request, whose answer has to be 2xx. */
  once(input: Input): Promise<number>;
  read<HttpResponse>(path: string): Promise<HttpResponse>;
  /** Reads an answer to its end without keeping it. */
  stream(
    path: string,
  ): Promise<{ readonly firstByteMs: number; readonly ms: number; readonly lines: number; readonly bytes: number }>;
  close(): Promise<void>;
};

/** For milliseconds in order; the first tenth is warm-up. */
export function timesOf(took: readonly number[]): Times {
  const counted = took.slice(Math.ceil(took.length / 10));
  return { requests: counted.length, p50Ms: percentile(counted, 50), p99Ms: percentile(counted, 99) };
}

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });

/** `credential`: the headers that sign a request in. */
export function openClient(url: string, credential: Readonly<Record<string, string>>): OneClient {
  const client = new Client(url, {
    pipelining: 1,
    keepAliveTimeout: 60_000,
    bodyTimeout: 600_000,
    headersTimeout: 60_000,
  });
  const headers = { ...credential, 'content-type': 'application/json' };
  const ask = async ({ path, headers: own, body }: Input): Promise<string> => {
    const post =
      body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body: JSON.stringify(body) };
    const response = await client.request({ path, headers: { ...headers, ...own }, ...post });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${path}: ${response.statusCode} ${text.slice(0, 300)}`);
    return text;
  };
  const once = async (input: Input): Promise<number> => {
    const began = performance.now();
    await ask(input);
    return performance.now() - began;
  };
  return {
    async time(inputs) {
      const took: number[] = [];
      for (const input of inputs) took.push(await once(input));
      return timesOf(took);
    },
    once,
    read: async (path) => JSON.parse(await ask({ path })) as never,
    async stream(path) {
      const began = performance.now();
      const { body, statusCode } = await client.request({ path, method: 'GET', headers });
      let [firstByteMs, lines, bytes] = [Number.NaN, 0, 0];
      for await (const chunk of body as AsyncIterable<Buffer>) {
        if (bytes === 0) firstByteMs = performance.now() - began;
        bytes += chunk.length;
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines += 1;
      }
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
      return { firstByteMs, ms: performance.now() - began, lines, bytes };
    },
    close: () => client.close(),
  };
}
