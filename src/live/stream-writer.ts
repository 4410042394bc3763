// What is written to one open stream of server-sent events, as long as its client takes it.
import type { PassThrough } from 'node:stream';

import type { Watcher } from './live-hub.ts';

const BEAT = ':\n\n';

/** What a client does not take is not collected for it: it comes again by itself and then asks for everything. */
export function writerOf(line: PassThrough): Pick<Watcher, 'notify' | 'beat' | 'end'> {
  const write = (text: string): void => {
    if (line.writableNeedDrain) line.destroy();
    else if (!line.writableEnded && !line.destroyed) line.write(text);
  };
  return {
    notify: (topics) => write(`event: change\ndata: ${JSON.stringify({ topics })}\n\n`),
    beat: () => write(BEAT),
    end: () => void line.end(),
  };
}
