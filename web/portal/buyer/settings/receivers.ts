// Complete webhook receivers in Node, Python and PHP to copy, without dependencies. A test runs them against the service.

type Receiver = { readonly name: string; readonly file: string; readonly code: string };

const node = `// Node 20 or newer, nothing to install:  WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64');

function isOurs(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  return isFresh && signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isOurs(request.headers, body)) return response.writeHead(401).end('not signed by us');
  const { type, data } = JSON.parse(body);
  // Keep the message here, once for each webhook-id, and do the work after the response.
  console.log(request.headers['webhook-id'], type, data.deliveryRef);
  response.writeHead(200).end('taken');
}).listen(Number(process.env.PORT ?? 8080), '127.0.0.1');
`;

const python = `# Python 3.9 or newer, nothing to install:  WEBHOOK_SECRET=whsec_… PORT=8080 python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_ours(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        if not is_ours(self.headers, body):
            return self.respond(401, b"not signed by us")
        message = json.loads(body)
        # Keep the message here, once for each webhook-id, and do the work after the response.
        print(self.headers["webhook-id"], message["type"], message["data"].get("deliveryRef"), flush=True)
        self.respond(200, b"taken")

    def respond(self, status, text):
        self.send_response(status)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
`;

const php = `<?php
// PHP 8 or newer, nothing to install. To try it:  WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 receiver.php
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');

$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
$isOurs = array_filter($signatures, fn (string $given): bool => hash_equals($expected, $given)) !== [];
if (!$isOurs || abs(time() - (int) $timestamp) > 300) {
    http_response_code(401);
    exit('not signed by us');
}

$message = json_decode($body, true);
// Keep the message here, once for each webhook-id, and do the work after the response.
error_log("$id {$message['type']}");
echo 'taken';
`;

export const RECEIVERS: Readonly<Record<'node' | 'python' | 'php', Receiver>> = {
  node: { name: 'Node', file: 'receiver.mjs', code: node },
  python: { name: 'Python', file: 'receiver.py', code: python },
  php: { name: 'PHP', file: 'receiver.php', code: php },
};
