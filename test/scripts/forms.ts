// What tries each script of package.json and each file that operators use, in its smallest form, in every run of all tests.

export type Form = {
  /** Of the repository: a file, or all files that begin so if it ends with `/`. */
  readonly of: string;
  /** A file of tests. */
  readonly by: string;
  /** The beginning of a test's title in it. */
  readonly test: string;
};

const OWN_CHECKERS = 'test/ops/own-checkers.test.ts';
const SHELL = 'test/ops/shell-scripts.test.ts';
const QUICK = 'test/scripts/quick-scripts.test.ts';
const RUNS = 'test/scripts/runs-of-tests.test.ts';
const PAPERS = 'test/release/papers.test.ts';

/** By the script's name. One that is among the checks of `npm test` needs no row. */
export const SCRIPTS: Readonly<Record<string, Omit<Form, 'of'>>> = {
  start: { by: 'test/scripts/start.test.ts', test: 'starts the service' },
  build: { by: QUICK, test: '%s builds the pages' },
  prepare: { by: QUICK, test: '%s builds the pages' },
  pretest: { by: QUICK, test: 'pretest says that' },
  format: { by: QUICK, test: 'format rewrites a file' },
  schema: { by: 'test/schema.test.ts', test: 'is the result of all migrations' },
  'file-schema': { by: QUICK, test: 'schema, file-schema, openapi and third-party rewrite' },
  openapi: { by: QUICK, test: 'schema, file-schema, openapi and third-party rewrite' },
  'third-party': { by: 'test/docs/third-party.test.ts', test: 'are listed with their licences' },
  sdk: { by: 'test/sdk/client-is-current.test.ts', test: 'is generated from docs/openapi.json' },
  'test:unit': { by: RUNS, test: '%s passes with small numbers' },
  'test:drills': { by: 'test/support/drawn.test.ts', test: 'draws as many items as asked for, or all' },
  'test:pages': { by: 'test/browser/pages/operator.test.ts', test: 'fails these tests with a text that is faint' },
  'test:tasks': { by: 'test/browser/operator-tasks.test.ts', test: 'signs in with a one-time code' },
  'test:seconds': { by: 'test/support/processor-budgets.test.ts', test: 'are written for files that are there' },
  'test:fuzz': { by: RUNS, test: '%s passes with small numbers' },
  'test:oldest': { by: RUNS, test: '%s passes with small numbers' },
  'test:money': { by: RUNS, test: '%s passes with small numbers' },
  'test:upgrades': { by: RUNS, test: '%s passes with small numbers' },
  coverage: { by: RUNS, test: '%s passes with small numbers' },
  'test:faults': { by: 'test/scripts/faults.test.ts', test: 'finds that every promise holds' },
  'test:cluster': { by: QUICK, test: '%s says which parts there are' },
  'test:release': { by: 'test/scripts/release.test.ts', test: 'runs an archive in an empty root' },
  release: { by: 'test/scripts/release.test.ts', test: 'makes an archive that takes a lead' },
  bench: { by: 'test/scripts/bench.test.ts', test: 'measures %s with tiny numbers' },
  screenshots: { by: 'test/scripts/screenshots.test.ts', test: 'takes the pictures that are named' },
};

/** The first row that fits counts. */
export const FILES: readonly Form[] = [
  { of: 'ops/alerts.yaml', by: 'test/platform/ops-files.test.ts', test: 'of the %s name metrics that exist' },
  { of: 'ops/backup-nightly.sh', by: SHELL, test: 'writes a backup at its time' },
  { of: 'ops/cluster/503.http', by: OWN_CHECKERS, test: 'accepts ops/cluster/haproxy.cfg' },
  { of: 'ops/cluster/etcd.env', by: OWN_CHECKERS, test: 'has an option for each variable' },
  { of: 'ops/cluster/haproxy.cfg', by: OWN_CHECKERS, test: 'accepts ops/cluster/haproxy.cfg' },
  { of: 'ops/cluster/install.sh', by: SHELL, test: 'installs what is missing' },
  { of: 'ops/cluster/patroni.env.example', by: OWN_CHECKERS, test: 'has the names of ops/cluster/patroni.env.example' },
  { of: 'ops/cluster/patroni.yaml', by: OWN_CHECKERS, test: 'accepts ops/cluster/patroni.yaml' },
  { of: 'ops/container-health.sh', by: SHELL, test: 'succeeds while the process responds' },
  { of: 'ops/grafana/', by: 'test/platform/ops-files.test.ts', test: 'of the %s name metrics that exist' },
  { of: 'ops/haproxy.cfg', by: OWN_CHECKERS, test: 'accepts ops/haproxy.cfg' },
  { of: 'ops/kubernetes/', by: 'test/ops/deployment-files.test.ts', test: 'probe paths and ports' },
  { of: 'ops/nginx.conf', by: OWN_CHECKERS, test: 'accepts ops/nginx.conf' },
  { of: 'ops/release/bill-of-materials.ts', by: PAPERS, test: 'is the same text whenever it is written' },
  { of: 'ops/release/licences-of-postgresql.txt', by: PAPERS, test: 'name PostgreSQL and each library' },
  { of: 'ops/release/third-party-licences.ts', by: PAPERS, test: 'have a text for each package' },
  { of: 'ops/release/release.ts', by: 'test/scripts/release.test.ts', test: 'makes an archive that takes a lead' },
  { of: 'ops/roles.sql', by: OWN_CHECKERS, test: 'runs ops/roles.sql' },
  { of: 'ops/systemd/', by: OWN_CHECKERS, test: 'accepts ops/systemd/%s' },
  { of: 'bin/leadmarket', by: 'test/launcher.test.ts', test: 'becomes the service' },
  { of: 'bin/package.json', by: 'test/launcher.test.ts', test: 'becomes the service' },
  { of: 'bin/prepare.mjs', by: QUICK, test: '%s builds the pages' },
  { of: 'bin/prepare-tests.mjs', by: QUICK, test: 'pretest says that' },
  { of: 'bin/test-fuzz.mjs', by: RUNS, test: '%s passes with small numbers' },
  { of: 'bench/sections/', by: 'test/scripts/bench.test.ts', test: 'has the sections of bench/sections' },
  { of: 'examples/deliveries/', by: 'test/deliveries/presets.test.ts', test: 'has no preset without a story' },
  { of: 'examples/import/', by: 'test/cli/import.test.ts', test: 'imports the examples' },
  { of: 'examples/marketplace.yaml', by: 'test/scripts/release.test.ts', test: 'makes an archive that takes a lead' },
  { of: 'examples/verticals/', by: 'test/verticals/example-files.test.ts', test: 'sells a lead with its own fields' },
  { of: 'compose.yaml', by: 'test/ops/deployment-files.test.ts', test: 'run the service the same way' },
  { of: 'compose.workers.yaml', by: 'test/ops/deployment-files.test.ts', test: 'run the service the same way' },
  { of: 'Dockerfile', by: 'test/ops/deployment-files.test.ts', test: 'of the image are copied from the archive' },
  { of: '.ci/run', by: OWN_CHECKERS, test: 'reads %s' },
  { of: '.githooks/pre-commit', by: OWN_CHECKERS, test: 'reads %s' },
];
