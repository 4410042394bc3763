// Finds tests that start a marketplace each: one costs as much as everything else that most tests do, and the tests of a file can share it.
import { parseSync, Visitor } from 'oxc-parser';

type Span = { readonly start: number; readonly end: number };
type Named = Span & { readonly name: string };
/** `isRepeated`: it runs for several tests or cases. */
type Test = Span & { readonly isRepeated: boolean };

const PER_TEST: ReadonlySet<string> = new Set(['it', 'test', 'beforeEach']);
/** `startTestMarketplace` and what starts one for the tests of a slice: `openNoticeMarket`. */
const STARTS = /^(?:start|open)[A-Z]\w*Market(?:place)?$/;
const NAMED = /\b(?:start|open)[A-Z]\w*Market(?:place)?\(/;
/** A second process on the database of a marketplace. */
const ON_ANOTHER = /\bon(?:: |\s*[,}])/;
/** The reason follows. */
const NOTE = /^\s*\/\/ Own marketplace: \S/;
/** Tests of another configuration than the rest of their file. */
const FREE = 2;

/**
 * The lines of calls inside of tests that start a marketplace, directly or by a function of the same file: those of `beforeEach` and of
 * tests with several cases, and all if they are more than two. A comment `// Own marketplace: WHY` right above the call, the test or that
 * function allows it.
 */
export function marketplacesPerTest(path: string, text: string): number[] {
  // Most files start none, and are not parsed for that.
  if (!NAMED.test(text)) return [];
  const { tests, functions, calls } = readCalls(path, text);
  const isNoted = ({ start }: Span): boolean => hasNoteAbove(text, start);
  const starting = calls.filter(({ start, end }) => !ON_ANOTHER.test(text.slice(start, end)));
  const local = functions.filter((one) => !isNoted(one));
  const starters = startersAmong(starting, local);
  const found = starting
    .filter(({ name }) => starters.has(name) || (STARTS.test(name) && !functions.some((one) => one.name === name)))
    .flatMap((call) => tests.filter((one) => holds(one, call)).map((test) => ({ call, test })))
    .filter(({ call, test }) => !isNoted(call) && !isNoted(test));
  const each = found.filter(({ test }) => test.isRepeated);
  return (found.length > FREE ? found : each).map(({ call }) => lineOf(text, call.start));
}

const holds = (outer: Span, inner: Span): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** The functions of the file that start one, also by each other. */
function startersAmong(calls: readonly Named[], functions: readonly Named[]): Set<string> {
  const starters = new Set<string>();
  for (let before = -1; before !== starters.size;) {
    before = starters.size;
    for (const one of functions) {
      const starts = calls.some((call) => holds(one, call) && (STARTS.test(call.name) || starters.has(call.name)));
      if (starts) starters.add(one.name);
    }
  }
  return starters;
}

/** `tests` are the calls of `it` and `beforeEach`, with `each` and the like too. */
function readCalls(path: string, text: string): { tests: Test[]; functions: Named[]; calls: Named[] } {
  const { program } = parseSync(path, text, { lang: 'ts' });
  const [tests, functions, calls]: [Test[], Named[], Named[]] = [[], [], []];
  new Visitor({
    CallExpression(node) {
      const { start, end, callee } = node;
      if (callee.type === 'Identifier') calls.push({ start, end, name: callee.name });
      const root = rootOf(callee);
      // Of `it.each([1])('…', work)` only the whole.
      if (PER_TEST.has(root) && !tests.some((one) => one.start === start))
        tests.push({ start, end, isRepeated: root === 'beforeEach' || /\.(?:each|for)$/.test(nameOf(callee, text)) });
    },
    FunctionDeclaration({ start, end, id }) {
      if (id !== null) functions.push({ start, end, name: id.name });
    },
    VariableDeclarator({ start, end, id, init }) {
      const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      if (isFunction && id.type === 'Identifier') functions.push({ start, end, name: id.name });
    },
  }).visit(program);
  return { tests, functions, calls };
}

type Callee = { readonly type: string; readonly name?: unknown; readonly object?: unknown; readonly callee?: unknown };

/** `it` of `it.concurrent.each([1])`. */
function rootOf(node: object): string {
  const { type, name, object, callee } = node as Callee;
  if (type === 'Identifier') return String(name);
  const inner = type === 'MemberExpression' ? object : type === 'CallExpression' ? callee : null;
  return inner === null || inner === undefined ? '' : rootOf(inner);
}

/** `it.each` of `it.each([1])`. */
function nameOf(node: Callee & Span, text: string): string {
  const { callee } = node as { callee?: Callee & Span };
  return callee === undefined ? text.slice(node.start, node.end) : nameOf(callee, text);
}

/** In the comment that ends above the line of `at`. */
function hasNoteAbove(text: string, at: number): boolean {
  const lines = text.slice(0, at).split('\n').slice(0, -1).toReversed();
  const end = lines.findIndex((line) => !/^\s*\/\//.test(line));
  return lines.slice(0, end === -1 ? lines.length : end).some((line) => NOTE.test(line));
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
