// The lead that every measurement sends: one row in one form, 544 bytes, different in name, phone and e-mail each time.

export const LEAD_BYTES = 544;

/** Phone numbers come from one area code, so a run has at most this many people. */
const PEOPLE = 7_999_999;

/** `n` counts from 0; `run` keeps the external ids of different runs apart. */
export function leadBody(run: string, n: number): string {
  const [number, line] = [String(n).padStart(8, '0'), 2_000_000 + (n % PEOPLE)];
  const start =
    `{"external_id":"${run}${number}","full_name":"Jordan Rivera","email":"jordan.${number}@example.com",` +
    `"phone":"+1415${line}","business_name":"Rivera Landscaping LLC","state":"CA","debt_amount":"24500.00",` +
    '"source":"search-debt-west","consent_timestamp":"2026-11-20T17:03:11Z",' +
    '"source_form_url":"https://forms.example.com/debt?utm_source=search&utm_campaign=west","consent_version":"v7",' +
    '"utm_source":"search","utm_medium":"cpc","utm_campaign":"west-coast-debt","lead_ip":"203.0.113.77","notes":"';
  return `${start}${'x'.repeat(LEAD_BYTES - start.length - 2)}"}`;
}
