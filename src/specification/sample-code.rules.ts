// Sample programs, one per language and ready to run, that post a supplier's example and that verify a callback (contract 3, 5.8). The
// key and the secret come from the environment, never from the text.
import { phpLiteral, pythonLiteral } from './literals.rules.ts';

export type SampleLanguage = 'sh' | 'js' | 'python' | 'php';

export type SampleCode = {
  readonly language: SampleLanguage;
  readonly label: string;
  readonly code: string;
};

const KEY_VARIABLE = 'SUPPLIER_KEY';
const SECRET_VARIABLE = 'CALLBACK_SECRET';

/** Each prints the status and the id of the lead, or the error. */
export function postingCode(url: string, body: Readonly<Record<string, unknown>>): SampleCode[] {
  return [
    { language: 'sh', label: 'curl', code: curl(url, body) },
    { language: 'js', label: 'Node', code: node(url, body) },
    { language: 'python', label: 'Python', code: python(url, body) },
    { language: 'php', label: 'PHP', code: php(url, body) },
  ];
}

/** A here-document, so that the text may contain any quotes. */
function curl(url: string, body: Readonly<Record<string, unknown>>): string {
  return `# Set ${KEY_VARIABLE} to your key first: export ${KEY_VARIABLE}=lms_...
curl -sS -w '\\n%{http_code}\\n' ${shellText(url)} \\
  -H "x-api-key: $${KEY_VARIABLE}" \\
  -H 'content-type: application/json' \\
  --data-binary @- <<'END_OF_LEAD'
${JSON.stringify(body, null, 2)}
END_OF_LEAD
`;
}

function node(url: string, body: Readonly<Record<string, unknown>>): string {
  return `// Node 18 or newer. Set ${KEY_VARIABLE} to your key in the environment.
const lead = ${JSON.stringify(body, null, 2)};

const answer = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'x-api-key': process.env.${KEY_VARIABLE}, 'content-type': 'application/json' },
  body: JSON.stringify(lead),
  signal: AbortSignal.timeout(30_000),
});
const result = await answer.json();
console.log(answer.status, result.lead_id ?? result.reason);
`;
}

function python(url: string, body: Readonly<Record<string, unknown>>): string {
  return `# Python 3.8 or newer. Set ${KEY_VARIABLE} to your key in the environment.
import json
import os
import urllib.error
import urllib.request

lead = ${pythonLiteral(body)}

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(lead).encode(),
    headers={"x-api-key": os.environ["${KEY_VARIABLE}"], "content-type": "application/json"},
)
try:
    answer = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as refusal:
    answer = refusal  # it has a body, too
result = json.load(answer)
print(answer.status, result.get("lead_id") or result["reason"])
`;
}

function php(url: string, body: Readonly<Record<string, unknown>>): string {
  return `<?php
// Set ${KEY_VARIABLE} to your key in the environment.
$lead = ${phpLiteral(body)};

$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['x-api-key: ' . getenv('${KEY_VARIABLE}'), 'content-type: application/json'],
    'content' => json_encode($lead),
    'timeout' => 30,
    'ignore_errors' => true, // a refusal has a body, too
]]);
$result = json_decode(file_get_contents(${phpLiteral(url)}, false, $context), true);
$status = explode(' ', $http_response_header[0])[1];
echo $status, ' ', $result['lead_id'] ?? $result['reason'], "\\n";
`;
}

/** Each reads the unchanged body from callback.json and the headers from the environment, with their CGI names. */
export const verifyingCode: readonly SampleCode[] = [
  {
    language: 'js',
    label: 'Node',
    code: `// Set ${SECRET_VARIABLE} to the secret that the operator gave you: whsec_...
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

function isGenuine(secret, headers, body) {
  const age = Math.abs(new Date().getTime() / 1000 - Number(headers.timestamp));
  if (!(age <= 300)) return false; // an old message sent once more
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const wanted = createHmac('sha256', key).update(\`\${headers.id}.\${headers.timestamp}.\`).update(body).digest();
  return headers.signature.split(' ').some((part) => {
    if (!part.startsWith('v1,')) return false;
    const given = Buffer.from(part.slice(3), 'base64');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

const { env } = process;
const headers = { id: env.HTTP_WEBHOOK_ID, timestamp: env.HTTP_WEBHOOK_TIMESTAMP, signature: env.HTTP_WEBHOOK_SIGNATURE };
console.log(isGenuine(env.${SECRET_VARIABLE}, headers, readFileSync('callback.json')) ? 'genuine' : 'refused');
`,
  },
  {
    language: 'python',
    label: 'Python',
    code: `# Set ${SECRET_VARIABLE} to the secret that the operator gave you: whsec_...
import base64
import hashlib
import hmac
import os
import pathlib
import time


def is_genuine(secret, message_id, timestamp, signatures, body):
    if abs(time.time() - int(timestamp)) > 300:
        return False  # an old message sent once more
    key = base64.b64decode(secret.replace("whsec_", "", 1))
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(digest)
    return any(hmac.compare_digest(wanted, given.encode()) for given in signatures.split(" "))


headers = [os.environ["HTTP_WEBHOOK_" + name] for name in ("ID", "TIMESTAMP", "SIGNATURE")]
print("genuine" if is_genuine(os.environ["${SECRET_VARIABLE}"], *headers, pathlib.Path("callback.json").read_bytes()) else "refused")
`,
  },
  {
    language: 'php',
    label: 'PHP',
    code: `<?php
// Set ${SECRET_VARIABLE} to the secret that the operator gave you: whsec_...
function isGenuine(string $secret, string $id, string $timestamp, string $signatures, string $body): bool
{
    if (abs(time() - (int) $timestamp) > 300) return false; // an old message sent once more
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $signatures) as $given) {
        if (hash_equals($wanted, $given)) return true;
    }
    return false;
}

$headers = [getenv('HTTP_WEBHOOK_ID'), getenv('HTTP_WEBHOOK_TIMESTAMP'), getenv('HTTP_WEBHOOK_SIGNATURE')];
$body = file_get_contents('callback.json'); // in a web server: php://input, and the headers from $_SERVER
echo isGenuine(getenv('${SECRET_VARIABLE}'), ...[...$headers, $body]) ? 'genuine' : 'refused', "\\n";
`,
  },
];

/** Quotes any text as one word of the shell. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
