// Tidy rules on migrations: the workers of the last release go on while a new one starts, and locks are held only briefly (decision 027).

export type MigrationComplaint = { readonly statement: string; readonly says: string };

/** Migrations up to this one are older than the rule. */
export const OLDER_THAN_THE_RULE = 26;

/** Tables with a row per configured entry: reading all of them is quick. */
const SMALL = [
  'marketplace',
  'operator',
  'supplier',
  'buyer',
  'offer',
  'credential',
  'signing_secret',
  'process_report',
];

/** A note right above a statement that allows it, with the reason. */
const UNUSED = /^--\s*Unused since \S+: \S/m;
const SHORT = /^--\s*Short lock: \S/m;

type Ban = { readonly pattern: RegExp; readonly says: string };

/** Changes that break statements of the last release. */
const TAKES_AWAY: readonly Ban[] = [
  {
    pattern: /\bDROP\s+(?:TABLE|COLUMN|VIEW|MATERIALIZED\s+VIEW|FUNCTION|SEQUENCE|TYPE|ROLE|SCHEMA|DEFAULT)\b/i,
    says: 'drops',
  },
  { pattern: /\bDROP\s+INDEX\b/i, says: 'drops an index, on which ON CONFLICT may rest' },
  { pattern: /\bALTER\s+TABLE\b[^;]*\bDROP\s+(?!CONSTRAINT\b|NOT\b|EXPRESSION\b)\w/i, says: 'drops a column' },
  { pattern: /\bRENAME\b/i, says: 'renames' },
  { pattern: /\bALTER\s+(?:COLUMN\s+)?\w+\s+(?:SET\s+DATA\s+)?TYPE\b/i, says: 'changes the type of a column' },
  { pattern: /\bSET\s+NOT\s+NULL\b/i, says: 'demands a value that the last release may not write' },
  {
    pattern:
      /\bADD\s+(?:COLUMN\s+)?(?:IF\s+NOT\s+EXISTS\s+)?(?!CONSTRAINT\b)\w+\s+(?:(?!\bDEFAULT\b|\bGENERATED\b|,\s*ADD\b|;).)*\bNOT\s+NULL\b(?:(?!\bDEFAULT\b|,\s*ADD\b|;).)*(?:,\s*ADD\b|;|$)/is,
    says: 'adds a column that must have a value and gets none from the last release',
  },
  { pattern: /\bREVOKE\b/i, says: 'takes a right away' },
];

/** Statements that hold a lock while they read or rewrite a table. */
const LOCKS_LONG: readonly Ban[] = [
  {
    pattern: /\bCREATE\s+(?:UNIQUE\s+)?INDEX\b[^;]*?\bON\s+(?:ONLY\s+)?(?<table>\w+)/i,
    says: 'builds an index on a table that has rows',
  },
  {
    pattern:
      /\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?<table>\w+)[^;]*\bADD\s+(?:CONSTRAINT\s+\w+\s+)?(?:CHECK|FOREIGN\s+KEY|UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b(?![^;]*\bNOT\s+VALID\b)/i,
    says: 'reads a whole table for a constraint: add it NOT VALID, and validate it in the next migration',
  },
  {
    pattern:
      /\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?<table>\w+)[^;]*\b(?:SET\s+NOT\s+NULL|(?:SET\s+DATA\s+)?TYPE\s|GENERATED\s+ALWAYS\s+AS\s*\([^;]*\bSTORED|DEFAULT\s+(?:random|gen_random_uuid|nextval|clock_timestamp)\b|(?:big|small)?serial\b)/i,
    says: 'reads or rewrites a whole table',
  },
  {
    pattern:
      /^\s*(?:WITH\b[^;]*)?\b(?:UPDATE\s+(?:ONLY\s+)?(?<table>\w+)\s+(?:\w+\s+)?SET|DELETE\s+FROM\s+(?<from>\w+))\b/i,
    says: 'changes rows of a table in one transaction: a job that does it in slices locks some at a time',
  },
  {
    pattern: /\b(?:LOCK\s+TABLE|TRUNCATE|CLUSTER|REINDEX|VACUUM\s+FULL|REFRESH\s+MATERIALIZED)\b/i,
    says: 'locks a whole table',
  },
];

/** Complaints about one migration's text. */
export function migrationComplaints(sql: string): MigrationComplaint[] {
  const statements = statementsOf(sql);
  const made = new Set(
    statements.flatMap(({ code }) =>
      [...code.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi)].map(([, name]) => name),
    ),
  );
  const added = new Set(
    statements.flatMap(({ code }) =>
      [...code.matchAll(/\bADD\s+CONSTRAINT\s+(\w+)[^;]*\bNOT\s+VALID\b/gi)].map(([, name]) => name),
    ),
  );
  return statements.flatMap(({ code, comment }) => {
    const isOfSmallTable = SMALL.includes(
      /\b(?:TABLE|ON|UPDATE|FROM)\s+(?<table>\w+)/i.exec(code)?.groups?.['table'] ?? '',
    );
    const isOfNewTable = (groups: Record<string, string | undefined> | undefined): boolean =>
      made.has(groups?.['table'] ?? groups?.['from'] ?? '');
    const found = (bans: readonly Ban[]): string[] =>
      bans
        .filter(({ pattern }) => {
          const match = pattern.exec(code);
          return (
            match !== null &&
            !isOfNewTable(match.groups) &&
            !isOfNewTable(/\bALTER\s+TABLE\s+(?<table>\w+)/i.exec(code)?.groups)
          );
        })
        .map(({ says }) => says);
    const validated = /\bVALIDATE\s+CONSTRAINT\s+(\w+)/i.exec(code)?.[1];
    const says = [
      ...(UNUSED.test(comment) ? [] : found(TAKES_AWAY)),
      ...(SHORT.test(comment) || isOfSmallTable ? [] : found(LOCKS_LONG)),
      ...(validated !== undefined && added.has(validated)
        ? ['validates under the lock that adding took: in the next migration it takes none']
        : []),
    ];
    return says.map((text) => ({ statement: code.trim().split('\n', 1)[0] ?? '', says: text }));
  });
}

type Statement = { readonly code: string; readonly comment: string };

/** Statement by statement, each with the comments in and above it. The body of a function is ignored, that of a DO block is not. */
function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let code = '';
  let comment = '';
  for (const [piece] of sql.matchAll(/--[^\n]*\n?|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-'$;]+|[-$]/g)) {
    if (piece.startsWith('--')) comment += piece;
    else if (piece.startsWith("'")) code += "''";
    else if (piece.startsWith('$') && piece.length > 1) code += /\bDO\s*$/i.test(code) ? piece : '$$';
    else if (piece === ';') {
      statements.push({ code, comment });
      [code, comment] = ['', ''];
    } else code += piece;
  }
  return code.trim() === '' ? statements : [...statements, { code, comment }];
}
