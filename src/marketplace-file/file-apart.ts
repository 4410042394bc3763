// Reads and writes the text of marketplace files without keeping a serving process from its requests: large ones in another thread.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import { type ExportedContent, fileText } from './file-text.ts';
import { type ParsedFile, parseFile, type ParseOptions } from './parse-file.ts';

export type FileTask =
  | { readonly name: 'parse'; readonly text: string; readonly options: ParseOptions }
  | { readonly name: 'write'; readonly content: ExportedContent };

// Some 20 ms of work; a thread costs several times that before it begins.
const SMALL_BYTES = 20_000;
const SMALL_ENTRIES = 50;

/** As `parseFile`. */
export async function parseFileApart(text: string, options: ParseOptions): Promise<ParsedFile> {
  if (text.length <= SMALL_BYTES) return parseFile(text, options);
  // A thread gets a copy.
  const allowTargets = [...options.allowTargets];
  return (await inThread({ name: 'parse', text, options: { ...options, allowTargets } })) as ParsedFile;
}

/** As `fileText`. */
export async function fileTextApart(content: ExportedContent): Promise<string> {
  if (content.suppliers.length + content.partners.length <= SMALL_ENTRIES) return fileText(content);
  return (await inThread({ name: 'write', content })) as string;
}

async function inThread(task: FileTask): Promise<unknown> {
  const thread = new Worker(new URL('./file-thread.ts', import.meta.url), { workerData: task, execArgv: [] });
  try {
    // Rejects where the thread ends by a fault; it cannot end without a word otherwise.
    const [result] = (await once(thread, 'message')) as [unknown];
    return result;
  } finally {
    await thread.terminate();
  }
}
