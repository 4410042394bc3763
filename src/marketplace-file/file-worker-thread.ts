// Worker thread that parses or writes one large marketplace file, sends the result and ends (file-worker.ts).
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';

import type { FileTask } from './file-worker.ts';
import { fileText } from './file-text.ts';
import { parseFile } from './parse-file.ts';

assert(parentPort !== null, 'this file must run as a worker thread');
const task = workerData as FileTask;
// A worker's port has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(task.name === 'parse' ? parseFile(task.text, task.options) : fileText(task.content));
