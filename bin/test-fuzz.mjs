// Sends any number of requests with hostile values to every route: `npm run test:fuzz -- --requests 20000 --seed 7`.
// No configuration of types has this file, and the linter checks it all the same.
/// <reference types="node" />
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, seed: { type: 'string' } },
});
// The test prints the seed, so that a run can be repeated.
const seed = values.seed ?? String(Date.now() % 1_000_000_000);
const { status } = spawnSync('npx', ['vitest', 'run', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: seed },
});
process.exitCode = status ?? 1;
