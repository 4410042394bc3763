// Builds the lead that every measurement sends: one form, 544 bytes, with another contact and external id each time.

const WIDTHS = { run: 8, number: 8, phone: 12 } as const;
const LEAD_BYTES = 544;
// Lines per area code; in all some 96 million people, as many as there are numbers.
const LINES = 8_000_000;
const AREA_CODES = [205, 212, 303, 312, 404, 415, 512, 602, 617, 713, 786, 916];

/** `{run}`, `{number}` and `{phone}` stand where the values go, each of one width, so that every body has the same length. */
export const leadTemplate = padded(
  '{"external_id":"{run}{number}","full_name":"Jordan Rivera","email":"jordan.{number}@example.com","phone":"{phone}",' +
    '"business_name":"Rivera Landscaping LLC","state":"CA","debt_amount":"24500.00","source":"search-debt-west",' +
    '"consent_timestamp":"2026-11-20T17:03:11Z",' +
    '"source_form_url":"https://forms.example.com/debt?utm_source=search&utm_campaign=west","consent_version":"v7",' +
    '"utm_source":"search","utm_medium":"cpc","utm_campaign":"west-coast-debt","lead_ip":"203.0.113.77","notes":"',
);

export function leadBody(run: string, number: number): string {
  const digits = String(number).padStart(WIDTHS.number, '0');
  const phone = `+1${AREA_CODES[Math.floor(number / LINES) % AREA_CODES.length]}${2_000_000 + (number % LINES)}`;
  return leadTemplate.replaceAll('{number}', digits).replace('{run}', run).replace('{phone}', phone);
}

/** The number of the lead whose email address is in the text; null for none. */
export function leadNumberIn(text: string): number | null {
  const digits = /jordan\.(\d{8})@/.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}

let runs = 0;
let numbers = 0;

/** Eight characters that no other run of this process has, and numbers that no other run uses. */
export function newRun(numbersNeeded: number): { run: string; first: number } {
  runs += 1;
  const first = numbers;
  numbers += numbersNeeded;
  return { run: `r${String(runs).padStart(WIDTHS.run - 1, '0')}`, first };
}

function padded(start: string): string {
  const placeholders = start.match(/\{(?:run|number|phone)\}/g) ?? [];
  const widths = placeholders.map((placeholder) => {
    const name = placeholder.slice(1, -1) as keyof typeof WIDTHS;
    return WIDTHS[name] - placeholder.length;
  });
  const length = widths.reduce((sum, more) => sum + more, start.length);
  return `${start}${'x'.repeat(LEAD_BYTES - length - 2)}"}`;
}
