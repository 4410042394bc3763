// Parses and writes large marketplace files in a worker thread, so that the server keeps answering requests.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { type ExportedContent, fileText } from './file-text.ts';
import { type ParsedFile, parseFile, type ParseOptions } from './parse-file.ts';

export type FileTask =
  | { readonly name: 'parse'; readonly text: string; readonly options: ParseOptions }
  | { readonly name: 'write'; readonly content: ExportedContent };

// About 20 ms of work; starting a thread costs several times that.
const SMALL_BYTES = 20_000;
const SMALL_ENTRIES = 50;

/** Like `parseFile`. */
export async function parseFileInWorker(text: string, options: ParseOptions): Promise<ParsedFile> {
  if (text.length <= SMALL_BYTES) return parseFile(text, options);
  // A thread receives a copy.
  const allowTargets = [...options.allowTargets];
  return (await inThread({ name: 'parse', text, options: { ...options, allowTargets } })) as ParsedFile;
}

/** Like `fileText`. */
export async function writeFileInWorker(content: ExportedContent): Promise<string> {
  if (content.suppliers.length + content.partners.length <= SMALL_ENTRIES) return fileText(content);
  return (await inThread({ name: 'write', content })) as string;
}

async function inThread(task: FileTask): Promise<unknown> {
  const thread = new Worker(new URL('./file-worker-thread.ts', import.meta.url), { workerData: task, execArgv: [] });
  try {
    // Rejects if the thread fails; otherwise the thread always sends a message before it ends.
    const [result] = (await once(thread, 'message')) as [unknown];
    return result;
  } finally {
    await thread.terminate();
  }
}
