// Reads the text of a PDF of the service as a reader copies it: by the characters that each embedded glyph says it stands for.
import { inflateSync } from 'node:zlib';

/** One line per position of text, of all pages. */
export function pdfText(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const objects = new Map(
    [...raw.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)].map(({ index, 0: head, 1: id = '' }) => {
      const start = index + head.length;
      return [id, { start, body: raw.slice(start, raw.indexOf('endobj', start)) }] as const;
    }),
  );
  const streamOf = (id: string): string => {
    const { start, body } = objects.get(id) ?? { start: 0, body: '' };
    const at = body.indexOf('stream\n') + 'stream\n'.length;
    const bytes = pdf.subarray(start + at, start + body.lastIndexOf('\nendstream'));
    return (body.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
  };
  const refOf = (body: string, name: string): string => new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '';
  const pages = [...objects.values()].filter(({ body }) => /\/Type \/Page\n/.test(body));
  return pages
    .map(({ body }) => {
      const resources = objects.get(refOf(body, 'Resources'))?.body ?? '';
      const fonts = [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => {
        return [name, textsOf(streamOf(refOf(objects.get(id)?.body ?? '', 'ToUnicode')))] as const;
      });
      return readPage(streamOf(refOf(body, 'Contents')), new Map(fonts));
    })
    .join('\n');
}

/** Of each glyph in the order of the subset. */
function textsOf(map: string): string[] {
  return [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = '']) =>
      String.fromCharCode(
        ...hex
          .split(' ')
          .filter((unit) => unit !== '')
          .map((unit) => parseInt(unit, 16)),
      ),
    ),
  );
}

function readPage(content: string, fonts: ReadonlyMap<string, readonly string[]>): string {
  const lines: string[] = [];
  let position = '';
  let glyphs: readonly string[] = [];
  let actual: string | null = null;
  const tokens =
    /\/ActualText \(((?:\\[^]|[^\\)])*)\)|(EMC)|\/(F\d+) [\d.]+ Tf|1 0 0 1 [-\d.]+ ([-\d.]+) Tm|\[([^\]]*)\] TJ|(BT)/g;
  let run: string[] = [];
  const end = (): void => {
    const text =
      actual ?? (/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(run.join('')) ? run.toReversed() : run).join('');
    if (run.length > 0) lines[lines.length - 1] += text;
    run = [];
  };
  for (const [, marked, isEnd, font, at, shown, isBegin] of content.matchAll(tokens)) {
    if (isBegin !== undefined || marked !== undefined) end();
    if (marked !== undefined) actual = utf16(marked);
    if (isEnd !== undefined) {
      end();
      actual = null;
    }
    if (font !== undefined) glyphs = fonts.get(font) ?? [];
    // A glyph that is moved stays in its run.
    if (at !== undefined && run.length === 0 && at !== position) {
      lines.push('');
      position = at;
    }
    for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]*)>/g)) {
      for (let index = 0; index < hex.length; index += 4)
        run.push(glyphs[parseInt(hex.slice(index, index + 4), 16)] ?? '');
    }
  }
  end();
  return lines.join('\n');
}

/** A literal string of a PDF: UTF-16 with its mark, with some bytes escaped. */
function utf16(literal: string): string {
  const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
  const bytes = literal.replaceAll(/\\([^])/g, (_all, escaped: string) => escapes[escaped] ?? escaped);
  return bytes.startsWith('\xfe\xff') ? Buffer.from(bytes.slice(2), 'latin1').swap16().toString('utf16le') : bytes;
}
