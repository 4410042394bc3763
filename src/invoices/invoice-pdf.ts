// Renders an invoice as a PDF on A4 with embedded fonts; deterministic to the byte.
import { setImmediate } from 'node:timers/promises';

import type { Brand } from '../marketplace/brand.schema.ts';
import { plain } from './document-text.rules.ts';
import { drawableLogo } from './drawable-logo.ts';
import { type DocumentTable, type InvoiceDocument, printedTexts } from './invoice-document.rules.ts';
import type { Pen, TextBox } from './pdf/draw-text.ts';
import { BASE } from './pdf/font-files.ts';
import type { Weight } from './pdf/open-font.ts';

type Page = PDFKit.PDFDocument;
type Canvas = { readonly pdf: Page; readonly pen: Pen };
type CellOptions = { readonly weight: Weight; readonly color?: string };

const INK = '#1b1f24';
const FAINT = '#59636e';
const RULE = '#d1d9e0';
const SIZE = 9.5;
const MARGIN = 54;
const FOOTER_HEIGHT = 36;
const CELL_PADDING = 4;
const LOGO_SIZE = { width: 160, height: 28 };
const TOTALS_WIDTH = 260;
const LABEL_WIDTH = 90;
/** They take about 10 milliseconds. */
const ROWS_AT_ONCE = 40;

export async function invoicePdf(document: InvoiceDocument, brand: Brand): Promise<Buffer> {
  // Imported on demand: loading the libraries takes longer than starting the service, and most processes never need them.
  const [{ createPen }, { openFont }] = await Promise.all([import('./pdf/draw-text.ts'), import('./pdf/open-font.ts')]);
  // One library after the other, because each holds the process while it is loaded.
  await openFont(BASE, 'regular');
  const { default: PDFDocument } = await import('pdfkit');
  const logo = brand.logo === null ? null : await drawableLogo(brand.logo);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER_HEIGHT },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: plain(document.title),
      Author: plain(document.author),
      Creator: 'Lead Marketplace',
      Producer: 'Lead Marketplace',
      CreationDate: document.issuedAt,
      ModDate: document.issuedAt,
    },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => void pdf.once('end', resolve).once('error', reject));
  const accent = brand.shades[8];
  const canvas: Canvas = { pdf, pen: await createPen(pdf, [...printedTexts(document), pageOf(1, 1234567890)]) };
  drawBrand(canvas, { name: document.author, logo, accent });
  drawHead(canvas, document, accent);
  for (const table of document.tables) await drawTable(canvas, table);
  drawTotals(canvas, document);
  drawFooters(canvas, document);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

function widthOf(pdf: Page): number {
  return pdf.page.width - 2 * MARGIN;
}

/** The lowest position of text. */
function bottomOf(pdf: Page): number {
  return pdf.page.height - pdf.page.margins.bottom;
}

type DrawnBrand = { readonly name: string; readonly logo: Buffer | null; readonly accent: string };

/** The name on the left, the logo on the right. */
function drawBrand(canvas: Canvas, { name, logo, accent }: DrawnBrand): void {
  const { pdf } = canvas;
  const y = MARGIN + (LOGO_SIZE.height - SIZE) / 2;
  drawText(canvas, name, { x: MARGIN, y, width: widthOf(pdf) - LOGO_SIZE.width }, { weight: 'bold', color: accent });
  if (logo !== null) {
    const x = MARGIN + widthOf(pdf) - LOGO_SIZE.width;
    pdf.image(logo, x, MARGIN, { fit: [LOGO_SIZE.width, LOGO_SIZE.height], align: 'right' });
  }
  pdf.y = MARGIN + LOGO_SIZE.height + 14;
}

function drawHead(canvas: Canvas, { title, stamp, parties, facts }: InvoiceDocument, accent: string): void {
  const { pdf, pen } = canvas;
  const width = widthOf(pdf);
  const head = pdf.y;
  const stampBox: TextBox = { x: MARGIN, y: head + 5, width, align: 'right' };
  pen.draw(title, { x: MARGIN, y: head, width }, { weight: 'bold', size: 20, color: INK });
  if (stamp !== null) pen.draw(stamp, stampBox, { weight: 'bold', size: 13, color: INK });
  const top = head + 30;
  pdf
    .moveTo(MARGIN, top)
    .lineTo(MARGIN + width, top)
    .lineWidth(1.5)
    .strokeColor(accent)
    .stroke();
  let bottom = top;
  const columnWidth = width / 2 - 12;
  for (const [index, { label, lines }] of parties.entries()) {
    const x = MARGIN + index * (width / 2);
    let y = top + 16;
    y += drawText(canvas, label, { x, y, width: columnWidth }, { weight: 'regular', color: FAINT });
    for (const [at, line] of lines.entries()) {
      y += drawText(canvas, line, { x, y, width: columnWidth }, { weight: at === 0 ? 'bold' : 'regular' });
    }
    bottom = Math.max(bottom, y);
  }
  let y = bottom + 16;
  for (const { label, value } of facts) {
    drawText(canvas, label, { x: MARGIN, y, width: LABEL_WIDTH }, { weight: 'regular', color: FAINT });
    y += drawText(canvas, value, { x: MARGIN + LABEL_WIDTH, y, width: width - LABEL_WIDTH }, { weight: 'regular' });
  }
  pdf.y = y;
}

/** Repeats the head of the table on each page; rows are never split. Other work of the process gets its turn between slices of rows. */
async function drawTable(canvas: Canvas, table: DocumentTable): Promise<void> {
  const { pdf } = canvas;
  const { title, columns, rows, note } = table;
  const head = columns.map((column) => column.title);
  // The title stays with the head and the first row.
  if (pdf.y + 90 > bottomOf(pdf)) pdf.addPage();
  pdf.y += 18;
  pdf.y += drawText(canvas, title, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { weight: 'bold' });
  drawRow(canvas, table, head, { weight: 'bold', color: FAINT });
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_ONCE === 0) await setImmediate();
    if (pdf.y + rowHeight(canvas, table, row) > bottomOf(pdf)) {
      pdf.addPage();
      drawRow(canvas, table, head, { weight: 'bold', color: FAINT });
    }
    drawRow(canvas, table, row, { weight: 'regular' });
  }
  if (note === null) return;
  if (pdf.y + 30 > bottomOf(pdf)) pdf.addPage();
  pdf.y += 4;
  pdf.y += drawText(canvas, note, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { weight: 'regular', color: FAINT });
}

function rowHeight({ pdf, pen }: Canvas, { columns }: DocumentTable, row: readonly string[]): number {
  const heights = row.map((value, index) => {
    const width = widthOf(pdf) * (columns[index]?.share ?? 0) - CELL_PADDING;
    return pen.heightOf(value, width, { weight: 'regular', size: SIZE });
  });
  return Math.max(...heights) + 2 * CELL_PADDING;
}

function drawRow(canvas: Canvas, table: DocumentTable, row: readonly string[], options: CellOptions): void {
  const { pdf } = canvas;
  const width = widthOf(pdf);
  const y = pdf.y;
  const height = rowHeight(canvas, table, row);
  let x = MARGIN;
  for (const [index, { isNumeric, share }] of table.columns.entries()) {
    const box = { x, y: y + CELL_PADDING, width: width * share - (isNumeric ? 0 : CELL_PADDING) };
    drawText(canvas, row[index] ?? '', { ...box, align: isNumeric ? 'right' : 'left' }, options);
    x += width * share;
  }
  const bottom = y + height;
  pdf
    .moveTo(MARGIN, bottom)
    .lineTo(MARGIN + width, bottom)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke();
  pdf.y = bottom;
}

function drawTotals(canvas: Canvas, { totals, notes }: InvoiceDocument): void {
  const { pdf } = canvas;
  const needed = (totals.length + notes.length) * 20 + 40;
  if (pdf.y + needed > bottomOf(pdf)) pdf.addPage();
  const right = MARGIN + widthOf(pdf);
  const x = right - TOTALS_WIDTH;
  pdf.y += 20;
  for (const { label, amount, isStrong } of totals) {
    const y = pdf.y;
    const weight = isStrong ? 'bold' : 'regular';
    drawText(canvas, label, { x, y: y + CELL_PADDING, width: TOTALS_WIDTH / 2 + 20 }, { weight });
    const height = drawText(
      canvas,
      amount,
      { x, y: y + CELL_PADDING, width: TOTALS_WIDTH, align: 'right' },
      { weight },
    );
    pdf.y = y + height + 2 * CELL_PADDING;
    pdf
      .moveTo(x, pdf.y)
      .lineTo(right, pdf.y)
      .lineWidth(0.5)
      .strokeColor(isStrong ? INK : RULE)
      .stroke();
  }
  pdf.y += 24;
  for (const note of notes) {
    pdf.y += drawText(canvas, note, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { weight: 'regular' }) + 2;
  }
}

function drawFooters(canvas: Canvas, { number }: InvoiceDocument): void {
  const { pdf } = canvas;
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    // Avoids a page break by the library for text below the margin.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - MARGIN;
    const box = { x: MARGIN, y, width: widthOf(pdf) };
    drawText(canvas, number, box, { weight: 'regular', color: FAINT });
    drawText(canvas, pageOf(index + 1, count), { ...box, align: 'right' }, { weight: 'regular', color: FAINT });
  }
}

function pageOf(page: number, count: number): string {
  return `Page ${page} of ${count}`;
}

/** Draws text wrapped to its width, and returns its height in points. */
function drawText({ pen }: Canvas, value: string, box: TextBox, { weight, color = INK }: CellOptions): number {
  return pen.draw(value, box, { weight, size: SIZE, color }) + 1;
}
