// Renders an invoice as a PDF on A4 with standard fonts; deterministic to the byte.
import { strict as assert } from 'node:assert';

import type { Brand } from '../marketplace/brand.schema.ts';
import { drawableLogo } from './drawable-logo.ts';
import type { DocumentTable, InvoiceDocument } from './invoice-document.rules.ts';
import { pdfText } from './pdf-text.rules.ts';

type Page = PDFKit.PDFDocument;
type CellOptions = { readonly font: string; readonly color?: string };

const REGULAR = 'Helvetica';
const BOLD = 'Helvetica-Bold';
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

export async function invoicePdf(document: InvoiceDocument, brand: Brand): Promise<Buffer> {
  // Imported on demand: loading the library takes longer than starting the service, and most processes never need it.
  const { default: PDFDocument } = await import('pdfkit');
  const logo = brand.logo === null ? null : await drawableLogo(brand.logo);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOTER_HEIGHT },
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: pdfText(document.title),
      Author: pdfText(document.author),
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
  drawBrand(pdf, { name: document.author, logo, accent });
  drawHead(pdf, document, accent);
  for (const table of document.tables) drawTable(pdf, table);
  drawTotals(pdf, document);
  drawFooters(pdf, document);
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
function drawBrand(pdf: Page, { name, logo, accent }: DrawnBrand): void {
  const y = MARGIN + (LOGO_SIZE.height - SIZE) / 2;
  drawText(pdf, name, { x: MARGIN, y, width: widthOf(pdf) - LOGO_SIZE.width }, { font: BOLD, color: accent });
  if (logo !== null) {
    const x = MARGIN + widthOf(pdf) - LOGO_SIZE.width;
    pdf.image(logo, x, MARGIN, { fit: [LOGO_SIZE.width, LOGO_SIZE.height], align: 'right' });
  }
  pdf.y = MARGIN + LOGO_SIZE.height + 14;
}

function drawHead(pdf: Page, { title, stamp, parties, facts }: InvoiceDocument, accent: string): void {
  const width = widthOf(pdf);
  const head = pdf.y;
  pdf.font(BOLD).fontSize(20).fillColor(INK).text(pdfText(title), MARGIN, head);
  if (stamp !== null) pdf.fontSize(13).text(pdfText(stamp), MARGIN, head + 5, { width, align: 'right' });
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
    y += drawText(pdf, label, { x, y, width: columnWidth }, { font: REGULAR, color: FAINT });
    for (const [at, line] of lines.entries()) {
      y += drawText(pdf, line, { x, y, width: columnWidth }, { font: at === 0 ? BOLD : REGULAR });
    }
    bottom = Math.max(bottom, y);
  }
  let y = bottom + 16;
  for (const { label, value } of facts) {
    drawText(pdf, label, { x: MARGIN, y, width: LABEL_WIDTH }, { font: REGULAR, color: FAINT });
    y += drawText(pdf, value, { x: MARGIN + LABEL_WIDTH, y, width: width - LABEL_WIDTH }, { font: REGULAR });
  }
  pdf.y = y;
}

/** Repeats the head of the table on each page; rows are never split. */
function drawTable(pdf: Page, table: DocumentTable): void {
  const { title, columns, rows, note } = table;
  const head = columns.map((column) => column.title);
  // The title stays with the head and the first row.
  if (pdf.y + 90 > bottomOf(pdf)) pdf.addPage();
  pdf.y += 18;
  pdf.y += drawText(pdf, title, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { font: BOLD });
  drawRow(pdf, table, head, { font: BOLD, color: FAINT });
  for (const row of rows) {
    if (pdf.y + rowHeight(pdf, table, row) > bottomOf(pdf)) {
      pdf.addPage();
      drawRow(pdf, table, head, { font: BOLD, color: FAINT });
    }
    drawRow(pdf, table, row, { font: REGULAR });
  }
  if (note === null) return;
  if (pdf.y + 30 > bottomOf(pdf)) pdf.addPage();
  pdf.y += 4;
  pdf.y += drawText(pdf, note, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { font: REGULAR, color: FAINT });
}

function rowHeight(pdf: Page, { columns }: DocumentTable, row: readonly string[]): number {
  const heights = row.map((value, index) => {
    const width = widthOf(pdf) * (columns[index]?.share ?? 0) - CELL_PADDING;
    return pdf.font(REGULAR).fontSize(SIZE).heightOfString(pdfText(value), { width });
  });
  return Math.max(...heights) + 2 * CELL_PADDING;
}

function drawRow(pdf: Page, table: DocumentTable, row: readonly string[], options: CellOptions): void {
  const width = widthOf(pdf);
  const y = pdf.y;
  const height = rowHeight(pdf, table, row);
  let x = MARGIN;
  for (const [index, { isNumeric, share }] of table.columns.entries()) {
    const box = { x, y: y + CELL_PADDING, width: width * share - (isNumeric ? 0 : CELL_PADDING) };
    drawText(pdf, row[index] ?? '', { ...box, align: isNumeric ? 'right' : 'left' }, options);
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

function drawTotals(pdf: Page, { totals, notes }: InvoiceDocument): void {
  const needed = (totals.length + notes.length) * 20 + 40;
  if (pdf.y + needed > bottomOf(pdf)) pdf.addPage();
  const right = MARGIN + widthOf(pdf);
  const x = right - TOTALS_WIDTH;
  pdf.y += 20;
  for (const { label, amount, isStrong } of totals) {
    const y = pdf.y;
    const font = isStrong ? BOLD : REGULAR;
    drawText(pdf, label, { x, y: y + CELL_PADDING, width: TOTALS_WIDTH / 2 + 20 }, { font });
    const height = drawText(pdf, amount, { x, y: y + CELL_PADDING, width: TOTALS_WIDTH, align: 'right' }, { font });
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
    pdf.y += drawText(pdf, note, { x: MARGIN, y: pdf.y, width: widthOf(pdf) }, { font: REGULAR }) + 2;
  }
}

function drawFooters(pdf: Page, { number }: InvoiceDocument): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    // Avoids a page break by the library for text below the margin.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - MARGIN;
    const box = { x: MARGIN, y, width: widthOf(pdf) };
    drawText(pdf, number, box, { font: REGULAR, color: FAINT });
    drawText(pdf, `Page ${index + 1} of ${count}`, { ...box, align: 'right' }, { font: REGULAR, color: FAINT });
  }
}

type Box = { readonly x: number; readonly y: number; readonly width: number; readonly align?: 'left' | 'right' };

/** Draws text wrapped to its width, and returns its height in points. */
function drawText(pdf: Page, value: string, { x, y, width, align = 'left' }: Box, options: CellOptions): number {
  const text = pdfText(value);
  assert(width > 0, 'text needs a width');
  pdf
    .font(options.font)
    .fontSize(SIZE)
    .fillColor(options.color ?? INK);
  const height = pdf.heightOfString(text === '' ? ' ' : text, { width });
  pdf.text(text, x, y, { width, align });
  return height + 2;
}
