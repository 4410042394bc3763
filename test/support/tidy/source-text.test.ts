// Tests the reading of source on which the tidy rules depend.
import { describe, expect, it } from 'vitest';

import { lineAt, readSource } from './source-text.ts';

describe('readSource', () => {
  it.each([
    ['a comment', 'a(); // now', 'a();       '],
    ['a comment of several lines', 'a(/* x\ny */);', 'a(    \n    );'],
    ['a text', `a('// no comment');`, `a('             ');`],
    ['an escaped quote', `a('it\\'s', b);`, `a('     ', b);`],
    ['a template with code in it', 'a(`x ${b({ c: `y ${d}` })} z`);', 'a(`  ${b({ c: `  ${d}` })}  `);'],
    ['a pattern with quotes', `a(/['"\`/]/g, 'x');`, `a(/      /g, ' ');`],
    ['a division', 'a / b / c;', 'a / b / c;'],
  ])('blanks %s and keeps the code', (_, text, code) => {
    expect(readSource('a.ts', text).code).toBe(code);
  });

  it('returns literals with their position, with ? for substitutions', () => {
    const { literals } = readSource('a.ts', `a('x');\nb(\`SELECT \${c} FROM d\`);`);
    expect(literals).toEqual([
      { at: 2, text: 'x' },
      { at: 10, text: 'SELECT ? FROM d' },
    ]);
  });

  it('finds all forms of import, and no text that looks like one', () => {
    const text = [
      `import a from './a.ts';`,
      `import type { B } from './b.ts';`,
      `import {\n  c,\n  type D,\n} from "./c.ts";`,
      `import './e.ts';`,
      `const f = await import('./f.ts');`,
      `export { g } from './g.ts';`,
      `export const from = 'h';`,
      `const i = "import j from './j.ts'";`,
      `// import k from './k.ts';`,
    ].join('\n');
    const { imports } = readSource('a.ts', text);
    expect(imports.map(({ at, specifier, isType }) => [lineAt(text, at), specifier, isType])).toEqual([
      [1, './a.ts', false],
      [2, './b.ts', true],
      [3, './c.ts', false],
      [7, './e.ts', false],
      [8, './f.ts', false],
      [9, './g.ts', false],
    ]);
  });
});
