// Submits leads like suppliers, many at a time over many connections.
import { Pool } from 'undici';

/** Phone and email of a serial number (0 to 7,999,999) are unique. */
export function leadBody(serial: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    external_id: `lead-${serial}`,
    full_name: 'Jordan Rivera',
    email: `jordan.rivera.${serial}@example.com`,
    phone: `+1555${2_000_000 + serial}`,
    state: 'CA',
    debt_amount: '24500.00',
    source: 'search-debt-west',
    consent_timestamp: '2026-11-20T17:03:11Z',
    source_form_url: 'https://forms.example.com/debt?utm_source=search',
    ...more,
  };
}

export type IngestResponse = {
  readonly status: number;
  readonly isReplay: boolean;
  readonly json: { lead_id: string; score: number; [member: string]: unknown };
};

export type Supplier = {
  /** Rejects where no whole answer came: whether the lead is stored is then unknown. */
  post(body: object): Promise<IngestResponse>;
  /** All of them, as many at a time as there are connections; the answers in the order of the bodies. */
  postAll(bodies: readonly object[]): Promise<IngestResponse[]>;
  close(): Promise<void>;
};

export function connectSupplier(url: string, { key, connections }: { key: string; connections: number }): Supplier {
  const pool = new Pool(url, { connections });
  const post = async (body: object): Promise<IngestResponse> => {
    const response = await pool.request({
      method: 'POST',
      path: '/api/v1/ingest',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
    const json = (await response.body.json()) as IngestResponse['json'];
    return { status: response.statusCode, isReplay: response.headers['idempotent-replayed'] === 'true', json };
  };
  return {
    post,
    postAll: (bodies) => Promise.all(bodies.map((body) => post(body))),
    close: () => pool.destroy(),
  };
}
