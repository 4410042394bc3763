// Runs the samples that a file lists, one after the other in this process, and tells of each in a line of JSON.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';

const shared = process.env;
const report = process.stdout.write.bind(process.stdout);

for (const { file, env } of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  let stdout = '';
  let error = null;
  process.env = { ...shared, ...env };
  process.stdout.write = (text) => {
    stdout += String(text);
    return true;
  };
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (thrown) {
    error = inspect(thrown);
  }
  report(`${JSON.stringify({ stdout, error })}\n`);
}
