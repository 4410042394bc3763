// Serves the built portal and console: two pages, and the files that they load (decision 022, web/README.md). Responses of the pages' routes say
// which release of the pages this process has.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { App } from './app.ts';
import { sendPage } from './html-page.ts';
import { sendProblem } from './problem.ts';
import { respondUnknown } from './server.ts';
import { NOT_FOUND } from './request-fault.ts';

const BUILT = join(import.meta.dirname, '../../../web/dist');
/** File names contain a hash of the content, so a file never changes under its name. */
const A_YEAR_MS = 365 * 86_400_000;
/** The build's file names: one level, no leading dot. */
const ASSET = /^[\w-][\w.-]*$/;

const areas = ['portal', 'console'] as const;
type Area = (typeof areas)[number];

/** Scripts only from this host. Inline styles are allowed, because the components use them for positions. No other host for anything. */
const POLICY = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Not `no-referrer`: with it, older browsers send `Origin: null` for same-origin requests.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const NOT_BUILT =
  '<h1>These pages have not been built</h1><p>The service works; its pages are missing. Build them with ' +
  '<code>npm run build</code> in the folder of the service, then load this page again.</p>';

/** Written by web/build.ts. */
const RELEASE = /<meta name="release" content="(\w+)"/;
const PAGES_API = /^\/(?:portal|console)\/api\//;

/** Before the pages' routes, whose responses get the release. `folder` is for tests. */
export function registerWebFiles(app: App, { folder = BUILT }: { readonly folder?: string } = {}): void {
  let release: string | undefined;
  const readPage = async (area: Area): Promise<boolean> => {
    const page = await textOf(join(folder, `${area}.html`));
    release = RELEASE.exec(page ?? '')?.[1];
    return page !== null;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (release !== undefined && PAGES_API.test(request.url)) reply.header('x-pages-release', release);
    done();
  });
  void app.register((inner, _options, done) => {
    const files = inner as App;
    files.addHook('onReady', async () => {
      await readPage('portal');
    });
    files.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true };
    });
    // Only for `sendFile`: the routes below define the paths.
    void files.register(staticFiles, {
      root: folder,
      serve: false,
      preCompressed: true,
      index: false,
      acceptRanges: false,
      // The folder may be built later.
      suppressWarning: true,
    });
    files.get('/', (_request, reply) => reply.header('cache-control', 'no-store').redirect('/portal', 302));
    files.get('/assets/:file', (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
      const { file } = request.params;
      if (!ASSET.test(file)) return sendProblem(request, reply, NOT_FOUND);
      return reply.sendFile(`assets/${file}`, { maxAge: A_YEAR_MS, immutable: true });
    });
    for (const area of areas) {
      // Read again, because the pages may have been built since.
      const page = async (_request: FastifyRequest, reply: FastifyReply) =>
        (await readPage(area)) ? sendAreaPage(reply, area) : sendNotBuilt(reply);
      files.get(`/${area}`, page);
      files.get(`/${area}/`, page);
      files.get(`/${area}/*`, (request, reply) => {
        const rest = (request.params as { '*': string })['*'];
        return rest === 'api' || rest.startsWith('api/') ? respondUnknown(app, request, reply) : page(request, reply);
      });
    }
    done();
  });
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  reply.code(503).header('retry-after', '10');
  return sendPage(reply, { title: 'Not built', body: NOT_BUILT, cacheControl: 'no-store' });
}

function sendAreaPage(reply: FastifyReply, area: Area): FastifyReply {
  reply.headers(PAGE_HEADERS);
  // Revalidated on each load and answered with 304 if unchanged; the files that it loads are cached forever.
  return reply.header('cache-control', 'no-cache').sendFile(`${area}.html`, { cacheControl: false });
}

/** Null if there is no such file. */
async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return null;
    throw error;
  }
}
