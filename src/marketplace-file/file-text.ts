// Writes the content of a marketplace file as text that people like to read (contract 7.5).
import { Document, isCollection, isMap, isPair, isScalar, isSeq, visit } from 'yaml';

type Form = Readonly<Record<string, unknown>>;

/** A whole file as JSON has it. */
export type ExportedContent = {
  readonly marketplace: Form;
  readonly suppliers: readonly Form[];
  readonly partners: readonly Form[];
};

const HEADER = ' The whole configuration: "leadmarket apply" of this file changes nothing.';
const LINE_WIDTH = 120;

export function fileText(content: ExportedContent): string {
  const document = new Document(content, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  document.commentBefore = HEADER;
  visit(document, {
    // What holds words and lists of words only reads best on one line, as people write it: channels, caps, hours.
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
