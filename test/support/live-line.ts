// A live stream as a browser's EventSource holds it: the events received so far, and whether it is still open.
import { eventually } from './eventually.ts';
import type { SignedIn } from './signed-in.ts';

export type LiveLine = {
  readonly status: number;
  readonly headers: Headers;
  /** All that came, as it came. */
  text(): string;
  /** Every topic received so far. */
  topics(): ReadonlySet<string>;
  isOpen(): boolean;
  /** Waits until this topic is received at least once after the call. */
  next(topic: string): Promise<void>;
  close(): void;
};

export async function openLine(url: string, who: Pick<SignedIn, 'cookie'>, path: string): Promise<LiveLine> {
  const control = new AbortController();
  const response = await fetch(url + path, {
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/event-stream' },
    signal: control.signal,
  });
  let text = '';
  let isOpen = response.body !== null && response.ok;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk as Uint8Array, { stream: true });
    } catch (error) {
      if (!control.signal.aborted && !(error instanceof TypeError)) throw error;
    } finally {
      isOpen = false;
    }
  };
  void read();
  const seen = (from = 0): string[] =>
    [...text.slice(from).matchAll(/^event: change\ndata: (.*)\n\n/gm)].flatMap(
      ([, data = '']) => (JSON.parse(data) as { topics: string[] }).topics,
    );
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    topics: () => new Set(seen()),
    isOpen: () => isOpen,
    async next(topic) {
      const from = text.length;
      await eventually(`${topic} is received`, () => seen(from).includes(topic));
    },
    close: () => control.abort(),
  };
}
