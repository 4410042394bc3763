// Another release of the service, whose pages are the same under other file names: to serve beside this one, as during an upgrade.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

const PROJECT = join(import.meta.dirname, '../../..');
/** They find the pages beside themselves. */
const COPIED = ['bin', 'src'];

export const OTHER_RELEASE = '0123456789abcdef';

/** Returns the folder; its program is `bin/leadmarket`. */
export function makeAnotherRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leadmarket-release-'));
  chmodSync(folder, 0o755);
  for (const name of readdirSync(PROJECT)) {
    if (name === 'web' || name.startsWith('.')) continue;
    if (COPIED.includes(name)) cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
    else symlinkSync(join(PROJECT, name), join(folder, name));
  }
  renamePages(join(PROJECT, 'web/dist'), join(folder, 'web/dist'));
  return folder;
}

/** Without compressed files: the service then sends the others. */
function renamePages(from: string, to: string): void {
  const names = readdirSync(join(from, 'assets')).filter((name) => !/\.(?:br|gz)$/.test(name));
  const renamed = new Map<string, string>();
  for (const name of names) renamed.set(name, name.replace(/(\.\w+)$/, '2$1'));
  mkdirSync(join(to, 'assets'), { recursive: true });
  const rewrite = (path: string, newPath: string): void => {
    const text = readFileSync(join(from, path), 'utf8')
      .replaceAll(/[\w.-]+\.(?:js|css|svg)\b/g, (name) => renamed.get(name) ?? name)
      .replace(/(<meta name="release" content=")\w+/, `$1${OTHER_RELEASE}`);
    writeFileSync(join(to, newPath), text);
  };
  for (const page of ['portal.html', 'console.html']) rewrite(page, page);
  for (const [name, newName] of renamed) rewrite(`assets/${name}`, `assets/${newName}`);
}

/** A load balancer on loopback: asks for each path which server gets the request. While that one is down, connections are cut. */
export async function startBalancer(serverFor: (path: string) => string): Promise<{ url: string; close: () => void }> {
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    const { method, headers } = incoming;
    const sent = request(new URL(path, serverFor(path)), { method: method ?? 'GET', headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      // A stream that breaks off here breaks off there, too.
      pipeline(response, outgoing, () => outgoing.destroy());
    });
    sent.once('error', () => outgoing.destroy());
    outgoing.once('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the balancer listens nowhere');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
