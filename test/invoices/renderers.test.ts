// Tests the renderers of invoices: HTML without scripts, and PDF that is deterministic to the byte.
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';

import { accentShades } from '../../src/base/accent-shades.ts';
import type { DocumentTable, InvoiceDocument } from '../../src/invoices/invoice-document.rules.ts';
import { invoiceHtml } from '../../src/invoices/invoice-html.ts';
import { invoicePdf } from '../../src/invoices/invoice-pdf.ts';
import { pdfText } from '../support/pdf-text.ts';

const brand = { name: 'Lead Desk', shades: accentShades('#0b6b62'), logo: null };
const EVIL = `<script>alert("1")</script><img src=x onerror='y'>&amp;`;

function documentWith(part: Partial<InvoiceDocument> = {}): InvoiceDocument {
  return {
    title: 'Invoice INV-2026-000001',
    number: 'INV-2026-000001',
    author: 'Lead Marketplace',
    stamp: 'PAID',
    parties: [
      { label: 'From', lines: ['Lead Marketplace'] },
      { label: 'Billed to', lines: ['Zoë & Söhne', 'Account summit'] },
    ],
    facts: [{ label: 'Period', value: '2026-10-01 to 2026-10-31 (America/Los_Angeles)' }],
    tables: [tableOf(2)],
    totals: [{ label: 'Amount due in USD', amount: '12,300.00', isStrong: true }],
    notes: ['Paid in full. Thank you.'],
    issuedAt: new Date('2026-11-02T02:00:00.000Z'),
    ...part,
  };
}

function tableOf(rows: number, text = 'Lead Sale'): DocumentTable {
  return {
    title: 'Charges',
    columns: [
      { title: 'Description', isNumeric: false, share: 0.7 },
      { title: 'Amount', isNumeric: true, share: 0.3 },
    ],
    rows: Array.from({ length: rows }, (_item, index) => [text, `${index + 1}.00`]),
    note: 'A note.',
  };
}

describe('invoiceHtml', () => {
  it('contains the whole document and loads no resources', () => {
    const html = invoiceHtml(documentWith(), brand);
    for (const text of [
      'INV-2026-000001',
      'PAID',
      'Zoë &amp; Söhne',
      'America/Los_Angeles',
      '2.00',
      '12,300.00',
      'A note.',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).not.toMatch(/\s(?:src|href)=|url\(|@import|https?:|http-equiv="refresh"/i);
    expect(html).toMatch(/^<!doctype html><html lang="en">.*<\/html>\n$/s);
    expect(html).toContain('size:A4');
  });

  it('escapes user texts', () => {
    const text = `${EVIL} שלום`;
    const html = invoiceHtml(
      documentWith({
        title: text,
        stamp: text,
        parties: [{ label: text, lines: [text] }],
        facts: [{ label: text, value: text }],
        tables: [{ ...tableOf(1, text), title: text, note: text }],
        totals: [{ label: text, amount: text, isStrong: false }],
        notes: [text],
      }),
      brand,
    );
    expect(html).not.toMatch(/<script|<img|onerror='/i);
    const shown = `<bdi>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&lt;img src=x onerror=&#39;y&#39;&gt;&amp;amp; שלום</bdi>`;
    expect(html.split(shown)).toHaveLength(14);
    expect(html).toMatch(
      /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-/,
    );
  });
});

describe('The logo', () => {
  const transparent = new PNG({ width: 3, height: 2 });
  transparent.data.set([9, 90, 200, 128], 4);
  const png = PNG.sync.write(transparent);
  const dataUrl = (bytes: Uint8Array, type = 'png') =>
    `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

  it('is in the HTML, which says so in its policy, and in the PDF, without transparency', async () => {
    const logo = dataUrl(png);
    expect(invoiceHtml(documentWith(), { ...brand, logo })).toContain(`<img src="${logo}" alt="">`);
    const pdf = (await invoicePdf(documentWith(), { ...brand, logo })).toString('latin1');
    expect(pdf).toMatch(/\/Subtype \/Image\n[^>]*\/Width 3\n\/Height 2/);
    expect(pdf).not.toContain('/SMask');
  });

  it('is left out of the PDF if it is damaged, cut off or huge, and if it is no image', async () => {
    const huge = Buffer.from(png);
    huge.writeUInt32BE(60_000, 16);
    huge.writeUInt32BE(60_000, 20);
    const damaged = Buffer.from(png).fill(0x55, 40, 50);
    const logos = [
      ...[huge, damaged, png.subarray(0, 40), png.subarray(0, 10), Buffer.alloc(0)].map((bytes) => dataUrl(bytes)),
      ...[png, Buffer.from('ffd8', 'hex'), Buffer.from('ffd8ffe00000ffd8ffc0', 'hex')].map((bytes) =>
        dataUrl(bytes, 'jpeg'),
      ),
    ];
    for (const logo of logos) {
      const pdf = (await invoicePdf(documentWith(), { ...brand, logo })).toString('latin1');
      expect(pdf).not.toContain('/Subtype /Image');
    }
  });
});

describe('invoicePdf', () => {
  it('returns the same bytes for the same invoice', async () => {
    const [one, other] = await Promise.all([invoicePdf(documentWith(), brand), invoicePdf(documentWith(), brand)]);
    expect(one.equals(other)).toBe(true);
    expect(one.subarray(0, 5).toString()).toBe('%PDF-');
    expect(one.toString('latin1')).toContain('D:20261102020000Z');
  });

  it('contains the whole document on A4', async () => {
    const pdf = await invoicePdf(documentWith({ tables: [tableOf(2, EVIL)] }), brand);
    expect(pdf.toString('latin1')).toMatch(/\/MediaBox \[0 0 595\.28 841\.89\]/);
    const text = pdfText(pdf);
    for (const part of [
      'Invoice INV-2026-000001',
      'PAID',
      'Zoë & Söhne',
      EVIL,
      '2.00',
      '12,300.00',
      'A note.',
      'Page 1 of 1',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('repeats the table head on every page', async () => {
    const pdf = await invoicePdf(documentWith({ tables: [tableOf(200), tableOf(3)] }), brand);
    const text = pdfText(pdf);
    const pages = Number(/Page 1 of (\d+)/.exec(text)?.[1]);
    expect(pages).toBeGreaterThan(5);
    expect(pdf.toString('latin1').split('/Type /Page\n')).toHaveLength(pages + 1);
    for (const row of ['1.00', '100.00', '200.00', `Page ${pages} of ${pages}`]) expect(text).toContain(row);
    expect(text.split('Description').length - 1).toBeGreaterThanOrEqual(pages);
  });

  it('accepts names of any length and script', async () => {
    const names = ['x'.repeat(2000), '李 علي 😀 \ud800', '', ' ', '\u0000'];
    for (const name of names) {
      const pdf = await invoicePdf(
        documentWith({ parties: [{ label: 'Billed to', lines: [name] }], tables: [tableOf(3, name)], notes: [name] }),
        brand,
      );
      expect(pdfText(pdf)).toContain('Page 1 of');
    }
  });
});
