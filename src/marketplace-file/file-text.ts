// Writes a marketplace file as readable YAML, and reads the text of one from disk (contract 7.5).
import { readFile } from 'node:fs/promises';

import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';

type Form = Readonly<Record<string, unknown>>;

/** A whole file as JSON. */
export type ExportedContent = {
  readonly marketplace: Form;
  /** Absent if there are none. */
  readonly verticals?: readonly Form[];
  readonly suppliers: readonly Form[];
  readonly partners: readonly Form[];
};

const HEADER = ' The whole configuration: "leadmarket apply" of this file changes nothing.';
const LINE_WIDTH = 120;

export function fileText(content: ExportedContent): string {
  const document = new Document(content, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = HEADER;
  visit(document, {
    // Maps and lists without nested maps are written on one line: channels, caps, hours.
    Collection(_, node) {
      const inner = node.items.map((item) => (isPair(item) ? item.value : item));
      const isFlat = inner.every((value) =>
        isMap(node) ? isFlatList(value) || !isCollection(value) : !isCollection(value),
      );
      const isEntry = isMap(node) && node.items.some((item) => isScalar(item.key) && item.key.value === 'key');
      if (isFlat && !isEntry) node.flow = true;
    },
  });
  return document.toString({ lineWidth: LINE_WIDTH, flowCollectionPadding: true });
}

function isFlatList(value: unknown): boolean {
  return isSeq(value) && value.items.every((item) => !isCollection(item));
}

/** Reads a file from disk as UTF-8 text, or returns the reason why that fails. */
export async function readFileText(
  path: string,
): Promise<{ readonly ok: true; readonly value: string } | { readonly ok: false; readonly message: string }> {
  try {
    const bytes = await readFile(path);
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: 'is not UTF-8 text' };
    if (error instanceof Error && 'code' in error) return { ok: false, message: error.message };
    throw error;
  }
}
