// Helpers for tests of marketplace files: parse a text, and name its errors by their positions.
import type { MarketplaceFile } from '../../src/marketplace-file/marketplace-file.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';

export const options = { allowTargets: [] };

export function parsed(text: string): MarketplaceFile {
  const result = parseFile(text, options);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.file;
}

/** `LINE:COLUMN path: message` of each fault. */
export function faultsOf(text: string): string[] {
  const result = parseFile(text, options);
  if (result.ok) return [];
  return result.errors.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}

/** The text without its marks, and where they stood: `¶` stands before each value that has a fault. */
export function marked(text: string): { text: string; positions: string[] } {
  const lines = text.split('\n');
  const positions = lines.flatMap((line, index) =>
    line
      .split('¶')
      .slice(0, -1)
      .map((_, part, parts) => `${index + 1}:${parts.slice(0, part + 1).join('').length + 1}`),
  );
  return { text: lines.map((line) => line.replaceAll('¶', '')).join('\n'), positions };
}

export const partner = (lines: string): string => `partners:\n  - key: summit\n    ${lines}\n`;
