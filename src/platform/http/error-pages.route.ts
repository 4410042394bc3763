// Serves the pages that the `type` of problem documents links to (RFC 9457): all codes at /docs/errors, each at /docs/errors/<code>.
import type { App } from './app.ts';
import { escapeHtml } from '../../base/escape-html.ts';
import { sendPage, withCode } from './html-page.ts';
import { catalogueEntry, fieldCatalogue, problemCatalogue } from './problem-catalogue.ts';
import type { CatalogueEntry } from './page-problems.ts';
import { sendProblem } from './problem.ts';
import { NOT_FOUND } from './request-fault.ts';

export function registerErrorPages(app: App): void {
  const options = { schema: { hide: true } };
  app.get('/docs/errors', options, (_request, reply) => sendPage(reply, { title: 'Error codes', body: table() }));
  app.get<{ Params: { code: string } }>('/docs/errors/:code', options, (request, reply) => {
    const { code } = request.params;
    const entry = catalogueEntry(code);
    return entry === undefined
      ? sendProblem(request, reply, NOT_FOUND)
      : sendPage(reply, { title: entry.title, body: page(code, entry) });
  });
}

function page(code: string, { title, status, meaning, remedy }: CatalogueEntry): string {
  return (
    `<p><a href="/docs/errors">All error codes</a></p><h1>${escapeHtml(title)}</h1>` +
    `<p><code>${escapeHtml(code)}</code>, ${status === null ? 'beside a field in <code>errors</code>' : `HTTP status ${status}`}</p>` +
    `<p>${withCode(meaning)}</p><h2>What to do</h2><p>${withCode(remedy)}</p>`
  );
}

function table(): string {
  const head = '<tr><th>Status</th><th>Code</th><th>What happened</th><th>What to do</th></tr>';
  return (
    '<p><a href="/docs">API reference</a></p><h1>Error codes</h1>' +
    '<p>Errors are problem documents (RFC 9457). <code>code</code> is stable; <code>detail</code> is for people.</p>' +
    `<table><thead>${head}</thead><tbody>${rows(problemCatalogue)}</tbody></table>` +
    '<h2>Codes beside a field</h2>' +
    `<table><thead>${head}</thead><tbody>${rows(fieldCatalogue)}</tbody></table>`
  );
}

function rows(catalogue: Readonly<Record<string, CatalogueEntry>>): string {
  return Object.entries(catalogue)
    .map(
      ([code, { status, meaning, remedy }]) =>
        `<tr><td>${status ?? ''}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td>` +
        `<td>${withCode(meaning)}</td><td>${withCode(remedy)}</td></tr>`,
    )
    .join('');
}
