// Formats the text that a server prints after its start: addresses, and the demo's credentials (contract 8.2).
import type { OpenedDemo } from '../demo/open-demo.ts';
import type { Role } from '../app/runtime.ts';

export type Greeting = {
  readonly host: string;
  readonly port: number;
  readonly role: Role;
  readonly demo: OpenedDemo;
  /** The address of the separate status port; null without one. */
  readonly statusUrl: string | null;
};

export function greeting({ host, port, role, demo, statusUrl }: Greeting, now: Date): string {
  const { secrets, notLoaded } = demo;
  const status = statusUrl === null ? [] : [`Status  ${statusUrl}/readyz`];
  if (role === 'worker') return [...status, 'Worker  running'].join('\n');
  const url = `http://${isAnyAddress(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
  const lines = [...status, `URL  ${url}`, `Docs  ${url}/docs`];
  if (secrets === null) {
    lines.push(`Portal  ${url}/portal`, `Console  ${url}/console`);
    if (notLoaded !== null) lines.push(`Demo  none, because ${notLoaded}; DEMO=on loads it all the same`);
  } else {
    // The part after the # never leaves the browser; the pages accept it in the demo only.
    const { supplierKey, buyerToken, operatorName, operatorPassword } = secrets;
    const operator = operatorPassword === null ? '' : `#name=${operatorName}&password=${operatorPassword}`;
    lines.push(
      `Portal  ${url}/portal#token=${buyerToken}`,
      `Supplier portal  ${url}/portal#key=${supplierKey}`,
      `Console  ${url}/console${operator}`,
      `Supplier key  ${supplierKey}`,
      `Buyer token  ${buyerToken}`,
      `Demo inbox  ${url}/demo/inbox`,
      '',
      'Post a lead:',
      curlLine(url, supplierKey, now),
    );
  }
  return lines.join('\n');
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function curlLine(url: string, supplierKey: string, now: Date): string {
  const lead = {
    full_name: 'Jordan Rivera',
    email: 'jordan.rivera@example.com',
    phone: '+17135550188',
    state: 'TX',
    debt_amount: '24500',
    source: 'first-try',
    consent_timestamp: `${now.toISOString().slice(0, 19)}Z`,
    source_form_url: 'https://forms.example.com/debt-relief?utm_source=search',
  };
  return `curl -sS ${url}/api/v1/ingest -H 'content-type: application/json' -H 'x-api-key: ${supplierKey}' -d '${JSON.stringify(lead)}'`;
}
