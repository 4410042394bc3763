// Reads or writes the text of one large marketplace file in a thread of its own, tells the result, and ends (file-apart.ts).
import { strict as assert } from 'node:assert';
import { parentPort, workerData } from 'node:worker_threads';

import type { FileTask } from './file-apart.ts';
import { fileText } from './file-text.ts';
import { parseFile } from './parse-file.ts';

assert(parentPort !== null, 'this is run as a thread');
const task = workerData as FileTask;
// A port of a thread has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort.postMessage(task.name === 'parse' ? parseFile(task.text, task.options) : fileText(task.content));
