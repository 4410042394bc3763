// Sends small HTML pages in one style, with a policy that lets them load and run nothing.
import { hash } from 'node:crypto';

import type { FastifyReply } from 'fastify';

import { escapeHtml } from '../../base/escape-html.ts';

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;' +
  'border-bottom:1px solid #8886}code{font-size:.95em}';
const POLICY =
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; base-uri 'none'; form-action 'none'; ` +
  `frame-ancestors 'none'`;

export type Page = { readonly title: string; readonly body: string; readonly cacheControl?: string };

/** `body` is HTML; text from outside this program must be escaped in it. */
export function sendPage(
  reply: FastifyReply,
  { title, body, cacheControl = 'public, max-age=3600' }: Page,
): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', cacheControl)
    .send(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`,
    );
}

/** Escapes a text of the catalogue and turns its backticks into `<code>`. */
export function withCode(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
