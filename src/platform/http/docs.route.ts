// Serves the API reference at /docs, which works offline and contacts no other host (contract 8.4).
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import { fastify, type FastifyReply, type FastifyRequest } from 'fastify';

import type { App } from './app.ts';
import { etag } from './etag.ts';

type Reference = { readonly page: string; readonly script: string };

const PAGE = '/docs/';
const SCRIPT = '/docs/js/scalar.js';

export function registerDocs(app: App, pageTitle: string): void {
  let rendering: Promise<Reference> | null = null;
  // With the first request: loading the library takes a tenth of a start, and it holds a script of 4 MB.
  const rendered = (): Promise<Reference> => (rendering ??= renderReference(pageTitle));
  const schema = { hide: true };
  void app.register((docs, _options, done) => {
    docs.addHook('onSend', complete);
    docs.addHook('onSend', etag);
    docs.get('/docs', { schema }, (_request, reply) => reply.redirect(PAGE, 301));
    docs.get(PAGE, { schema }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send((await rendered()).page),
    );
    docs.get(SCRIPT, { schema }, async (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send((await rendered()).script),
    );
    done();
  });
}

/** Takes page and script from a server of the library's own, because it builds a URL from the Host header, which clients choose. */
async function renderReference(pageTitle: string): Promise<Reference> {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  const server = fastify();
  void server.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle,
      // Disables everything that would contact another host or offer another service.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  return { page: (await server.inject(PAGE)).body, script: (await server.inject(SCRIPT)).body };
}

const INLINE_SCRIPT = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const compress = promisify(gzip);
/** The script has 4 MB and never changes, so it is compressed once. */
let compressedScript: Promise<Buffer> | null = null;

async function complete(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const type = String(reply.getHeader('content-type') ?? '');
  if (typeof payload !== 'string') return payload;
  if (type.startsWith('text/html')) {
    reply.headers({
      'content-security-policy': policy(payload),
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    });
    return payload;
  }
  if (!type.includes('javascript')) return payload;
  reply.headers({ 'cache-control': 'public, max-age=86400', vary: 'Accept-Encoding' });
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/.test(request.headers['accept-encoding'] ?? '')) return payload;
  compressedScript ??= compress(payload);
  reply.header('content-encoding', 'gzip');
  return compressedScript;
}

/** The policy of this page: allows its inline script by hash, and the styles that the reference adds at run time. */
function policy(html: string): string {
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  );
  return [
    `default-src 'none'`,
    `script-src 'self' ${hashes.join(' ')}`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `worker-src 'self' blob:`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
