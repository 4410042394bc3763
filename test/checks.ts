// Runs the checks without tests, two at a time, and prints what the failed ones say.
import { spawn } from 'node:child_process';

type Check = readonly [name: string, program: string, ...args: string[]];

/**
 * One list for each core. `oxlint --type-check` would do without tsc, and finds the same errors, but beside them other unnecessary assertions
 * each time that it runs.
 */
const LANES: ReadonlyArray<readonly Check[]> = [
  [
    ['lint', 'oxlint', '--type-aware'],
    ['format', 'oxfmt', '--check'],
    ['description of the API', 'npm', 'run', '--silent', 'openapi:lint'],
  ],
  [
    ['types', 'tsc', '-p', '.'],
    ['types of the pages', 'tsc', '-p', 'web'],
    ['types of the browser tests', 'tsc', '-p', 'test/browser'],
    ['unused code', 'npm', 'run', '--silent', 'unused'],
  ],
];

const failed = (await Promise.all(LANES.map(runAll))).flat();
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}.`);
  process.exitCode = 1;
}

async function runAll(checks: readonly Check[]): Promise<string[]> {
  const names: string[] = [];
  for (const [name, program, ...args] of checks) {
    const { code, output } = await run(program, args);
    console.log(code === 0 ? `Checked ${name}.` : output);
    if (code !== 0) names.push(name);
  }
  return names;
}

/** The Go programs among them collect garbage a quarter as often: they end before they need much. */
function run(program: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, GOGC: '400' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `${program}: ${error.message}` }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
