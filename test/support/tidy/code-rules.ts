// Tidy rules on the content and the names of files in `src/`.
import { posix } from 'node:path';

import { isSlice, layerOf } from './layers.ts';
import { findNewerSql } from './newer-sql.ts';
import { inCode, inLiterals, isEntryPoint, isRules, isSql, isTest, type Rule } from './rule.ts';

/** Files over the limit that read better in one piece, each with its reason. */
const LONG_FILES: Readonly<Record<string, string>> = {};
const LONGEST = 320;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:rules|sql|route|schema|scope|job|cli|channel|d))?(?:\.test)?\.ts$/;
const EMPTY_NAME = /(?:^|[-.])(?:utils?|helpers?|common|managers?|services?|misc|stuff)(?=\.)/;
const SQL =
  /\bSELECT\s[\s\S]*\bFROM\b|\b(?:INSERT\s+INTO|DELETE\s+FROM|CREATE\s+(?:TABLE|INDEX|DATABASE)|ALTER\s+TABLE)\s|\bUPDATE\s+\w+\s+SET\b/;
const SERVER_CLOCK =
  /\bnow\s*\(\s*\)|\b(?:clock|statement|transaction)_timestamp\s*\(|\b(?:CURRENT_(?:TIMESTAMP|DATE|TIME)|LOCALTIME(?:STAMP)?)\b/i;
// Other texts are in English, and may say anything.
const SQL_VERB = /\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|CREATE|ALTER|DROP|GRANT|REVOKE|COPY|EXPLAIN|SET)\s/;
const SWALLOWED = /\bcatch\s*(?:\([^)]*\)\s*)?\{\s*\}|\.catch\(\s*(?:async\s*)?\([^)]*\)\s*=>\s*\{\s*\}\s*\)/g;
const CHANCE = /\bMath\.random\b|\brandom(?:UUID\w*|Bytes|Int)\b|\bnewUuid\b/g;
const CLOCK = /\bDate\.now\b|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bperformance\.now\b/g;
const OUTSIDE = /\bprocess\.|\bset(?:Timeout|Interval|Immediate)\b|\bfetch\(|\bconsole\./g;

export const codeRules: readonly Rule[] = [
  {
    says: 'SQL stands only in *.sql.ts and in platform/database',
    because: 'a column is renamed where the columns are named, and nowhere else',
    find(file) {
      if (isTest(file.path) || isSql(file.path) || file.path.startsWith('src/platform/database/')) return [];
      return [...inLiterals(file, SQL), ...inCode(file, /(?<![.\w])statement\(/g)];
    },
    offender: { 'src/leads/ingest-lead.ts': 'await tx.query(statement("x", `INSERT INTO lead VALUES ($1)`));' },
  },
  {
    says: 'SQL never asks the server for the time',
    because: 'the time is the caller’s: tests set it, and all rows of one operation agree on it',
    // The two clocks are compared, and decide nothing.
    find: (file) =>
      isTest(file.path) || file.path === 'src/platform/processes/server-clock.sql.ts'
        ? []
        : inLiterals(file, SERVER_CLOCK),
    offender: { 'src/leads/lead.sql.ts': 'statement("lead.touch", `UPDATE lead SET seen_at = now()`);' },
  },
  {
    says: 'SQL is what PostgreSQL 15 understands',
    because: 'an operator may bring a server of that age; the embedded one is newer and would not tell',
    find: (file) =>
      file.literals
        .filter(({ text }) => isSql(file.path) || SQL_VERB.test(text))
        .flatMap(({ at, text }) => findNewerSql(text).map(({ found }) => ({ at, found }))),
    offender: { 'src/leads/lead.sql.ts': 'statement("lead.id", `INSERT INTO lead VALUES (uuidv7())`);' },
  },
  {
    says: 'a rules file asks no clock, no chance and no outside world',
    because: 'the same input has to give the same answer, in a test as in an audit years later',
    find: (file) => (isRules(file.path) ? [CLOCK, CHANCE, OUTSIDE].flatMap((pattern) => inCode(file, pattern)) : []),
    offender: { 'src/leads/score-lead.rules.ts': 'export const age = (at: Date) => Date.now() - at.getTime();' },
  },
  {
    says: 'in a slice only entry points read the machine’s clock',
    because: 'an operation receives the time or a Clock, so that it can be repeated and tested at any time',
    find(file) {
      if (isTest(file.path) || isEntryPoint(file.path) || !isSlice(layerOf(file.path))) return [];
      return inCode(file, CLOCK);
    },
    offender: { 'src/leads/ingest-lead.ts': 'const now = new Date();' },
  },
  {
    says: 'in a slice only entry points open a transaction',
    because: 'operations then combine into one transaction; an operation that opened its own could not',
    find(file) {
      if (isTest(file.path) || isEntryPoint(file.path) || !isSlice(layerOf(file.path))) return [];
      return inCode(file, /\.tx\(/g);
    },
    offender: { 'src/leads/ingest-lead.ts': 'await database.tx((tx) => store(tx));' },
  },
  {
    says: 'days and hours are read in a named time zone',
    because: 'the zone of the machine is an accident',
    find: (file) => inCode(file, /\.(?:get|set)(?:FullYear|Month|Date|Day|Hours|Minutes|Seconds|TimezoneOffset)\(/g),
    offender: { 'src/base/time.ts': 'export const day = (at: Date) => at.getDate();' },
  },
  {
    says: 'nothing is read by parseFloat',
    because: 'it takes "12abc" for 12 and money for a float (src/base/money.ts reads amounts)',
    find: (file) => inCode(file, /\bparseFloat\b/g),
    offender: { 'src/leads/lead-text.rules.ts': 'const debt = Number.parseFloat(text);' },
  },
  {
    says: 'there are no default exports',
    because: 'a name is then the same everywhere and can be searched for',
    find: (file) => inCode(file, /\bexport\s+default\b/g),
    offender: { 'src/leads/ingest-lead.ts': 'export default function ingest() {}' },
  },
  {
    says: 'there are no barrels: no index.ts and no export from',
    because: 'an import should lead to the file that decides',
    find(file) {
      // The sole exception is the module that exports Temporal.
      const again =
        file.path === 'src/base/temporal.ts'
          ? []
          : inCode(file, /\bexport\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;'"]*\bfrom\b/g);
      return posix.basename(file.path) === 'index.ts' ? [{ at: 0, found: 'index.ts' }, ...again] : again;
    },
    offender: { 'src/leads/index.ts': `export * from './lead.ts';` },
  },
  {
    says: 'there are no enums, namespaces or decorators',
    because: 'Node strips types and runs the rest; unions of texts say the same in plain values',
    find: (file) => inCode(file, /\benum\s+\w+\s*\{|\bnamespace\s+[\w.]+\s*\{|^\s*@\w+/gm),
    offender: { 'src/leads/lead-fields.ts': 'enum State { Held }' },
  },
  {
    says: 'the only classes are errors',
    because: 'state is passed as a value, behaviour is a function; only errors need instanceof',
    find: (file) => inCode(file, /\bclass\b(?!\s+\w+\s+extends\s+\w*Error\b)\s+\w+/g),
    offender: { 'src/leads/lead-fields.ts': 'class Lead { id = 1; }' },
  },
  {
    says: 'no error is caught and dropped',
    because: 'what may be ignored is handled by name; the rest has to be seen',
    find: (file) => inCode(file, SWALLOWED),
    offender: { 'src/leads/ingest-lead.ts': 'try { store(); } catch { /* never mind */ }' },
  },
  {
    says: 'files are named in kebab case by what they decide or do',
    because: 'util, helper, common, manager and service are names for what nobody has named yet',
    find(file) {
      const name = posix.basename(file.path);
      return NAME.test(name) && !EMPTY_NAME.test(name) ? [] : [{ at: 0, found: name }];
    },
    offender: { 'src/leads/lead-utils.ts': '' },
  },
  {
    says: `a file has at most ${LONGEST} lines`,
    because: 'a longer one decides more than one thing; about 200 lines read well',
    find(file) {
      const lines = file.text.trimEnd().split('\n').length;
      return lines <= LONGEST || file.path in LONG_FILES || isTest(file.path)
        ? []
        : [{ at: 0, found: `${lines} lines` }];
    },
    offender: { 'src/leads/ingest-lead.ts': '//\n'.repeat(LONGEST + 1) },
  },
  {
    says: 'a file opens with a sentence on what it decides or does',
    because: 'who looks for something reads that sentence and goes on, or stays',
    find(file) {
      if (isTest(file.path)) return [];
      const opening = /^(?:#!.*\n)?((?:\/\/.*\n?)+)/.exec(file.text)?.[1] ?? '';
      return /[a-z]\W.*[.:!?)]\s*$/s.test(opening) ? [] : [{ at: 0, found: file.text.split('\n', 1)[0] ?? '' }];
    },
    offender: { 'src/leads/ingest-lead.ts': `import { x } from './x.ts';\n` },
  },
];
