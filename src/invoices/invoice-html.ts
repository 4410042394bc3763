// Renders an invoice as a self-contained HTML file for A4, without scripts.
import { hash } from 'node:crypto';

import { escapeHtml } from '../base/escape-html.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { DocumentTable, InvoiceDocument } from './invoice-document.rules.ts';

const STYLE =
  '@page{size:A4;margin:18mm}*{box-sizing:border-box}' +
  'body{font:14px/1.5 system-ui,Helvetica,Arial,sans-serif;color:#1b1f24;background:#fff;max-width:210mm;margin:2rem auto;padding:0 1.5rem}' +
  'header{display:flex;justify-content:space-between;align-items:baseline;border-bottom:2px solid;padding-bottom:.5rem}' +
  '.brand{display:flex;align-items:center;gap:.75rem;margin:0 0 1rem;font-weight:700}.brand img{height:2rem;max-width:12rem;object-fit:contain}' +
  'h1{font-size:1.6rem;margin:0;color:#1b1f24}h2{font-size:1rem;margin:2rem 0 .4rem}' +
  '.stamp{color:#1b1f24;font-weight:700;letter-spacing:.1em;border:2px solid;padding:.1rem .6rem;border-radius:.2rem}' +
  '.parties{display:flex;gap:3rem;margin:1.5rem 0}.parties p,.notes p{margin:0;overflow-wrap:anywhere}' +
  '.label{color:#59636e;font-size:.85em}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1.5rem;margin:0}dt{color:#59636e}dd{margin:0}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid #d1d9e0;overflow-wrap:anywhere}' +
  'th{color:#59636e;font-weight:600;font-size:.85em}tr{break-inside:avoid}thead{display:table-header-group}' +
  '.number{text-align:right;font-variant-numeric:tabular-nums;padding-right:0;white-space:nowrap}' +
  '.totals{width:auto;margin:2rem 0 0 auto;min-width:18rem}.strong td{font-weight:700;border-top:1px solid #1b1f24}.notes{margin-top:2rem}';

/** Content security policy for the response header and the file: no scripts, no resources, only its style sheet and the logo that it holds. */
export function invoicePolicy(brand: Brand): string {
  return `default-src 'none'; img-src data:; style-src 'sha256-${hash('sha256', styleIn(brand), 'base64')}'; base-uri 'none'; form-action 'none'`;
}

function styleIn({ shades }: Brand): string {
  return `${STYLE}header,.brand{color:${shades[8]}}`;
}

export function invoiceHtml(document: InvoiceDocument, brand: Brand): string {
  const { title, stamp, parties, facts, tables, totals, notes } = document;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(invoicePolicy(brand))}">`,
    `<title>${text(title)}</title><style>${styleIn(brand)}</style></head><body>`,
    `<p class="brand">${brand.logo === null ? '' : `<img src="${escapeHtml(brand.logo)}" alt="">`}${text(document.author)}</p>`,
    `<header><h1>${text(title)}</h1>${stamp === null ? '' : `<span class="stamp">${text(stamp)}</span>`}</header>`,
    `<div class="parties">${parties
      .map(({ label, lines }) => `<div><p class="label">${text(label)}</p>${lines.map(line).join('')}</div>`)
      .join('')}</div>`,
    `<dl>${facts.map(({ label, value }) => `<dt>${text(label)}</dt><dd>${text(value)}</dd>`).join('')}</dl>`,
    ...tables.map(tableHtml),
    `<table class="totals"><tbody>${totals
      .map(
        ({ label, amount, isStrong }) =>
          `<tr${isStrong ? ' class="strong"' : ''}><td>${text(label)}</td><td class="number">${text(amount)}</td></tr>`,
      )
      .join('')}</tbody></table>`,
    `<div class="notes">${notes.map(line).join('')}</div></body></html>\n`,
  ].join('');
}

function tableHtml({ title, columns, rows, note }: DocumentTable): string {
  const cell = (tag: 'th' | 'td', value: string, index: number): string =>
    `<${tag}${columns[index]?.isNumeric === true ? ' class="number"' : ''}>${text(value)}</${tag}>`;
  const head = columns.map((column, index) => cell('th', column.title, index)).join('');
  const body = rows.map((row) => `<tr>${row.map((value, index) => cell('td', value, index)).join('')}</tr>`).join('');
  const addition = note === null ? '' : `<p class="label">${text(note)}</p>`;
  return `<h2>${text(title)}</h2><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>${addition}`;
}

function line(value: string): string {
  return `<p>${text(value)}</p>`;
}

/** Isolates text beyond Latin, so that right-to-left names do not affect the text around them. */
function text(value: string): string {
  return /[\u0300-\u{10ffff}]/u.test(value) ? `<bdi>${escapeHtml(value)}</bdi>` : escapeHtml(value);
}
