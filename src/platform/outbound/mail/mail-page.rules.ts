// Formats the content of a mail as plain text and as HTML for light and dark mail clients (contract 5.3).
import type { Shades } from '../../../base/accent-shades.ts';
import { escapeHtml } from '../../../base/escape-html.ts';
import { Temporal } from '../../../base/temporal.ts';

/** `href` makes the value a link; callers pass only addresses that they have built themselves. */
export type PageRow = { readonly label: string; readonly value: string; readonly href?: string | null };
export type PageGroup = { readonly heading: string; readonly rows: readonly PageRow[] };

/** Every text may come from outside: it is shown as plain text on one line. */
export type MailPage = {
  readonly title: string;
  /** A prominent notice; null for none. */
  readonly banner: string | null;
  readonly paragraphs: readonly string[];
  readonly groups: readonly PageGroup[];
  readonly footer: string;
};

/** The sender, whose name, logo and color are at the top. */
export type MailBrand = {
  readonly name: string;
  readonly shades: Shades;
  /** A data URL, which the mail has to carry as `Mail.logo`. */
  readonly logo: string | null;
};

/** The content id of the logo in the mail. */
export const LOGO_CID = 'logo';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/**
 * Removes line breaks, other controls and the marks that change the direction of writing, so that a name can neither add a line to a
 * header or a text, nor look like another name.
 */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim();
}

/** `Fri 20 Nov 2026, 09:03:12 America/Los_Angeles (UTC-08:00)`: with the zone by name and its offset. */
export function localTime(at: Date, timeZone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = `${WEEKDAYS[local.dayOfWeek - 1]} ${local.day} ${MONTHS[local.month - 1]} ${local.year}`;
  const time = `${two(local.hour)}:${two(local.minute)}:${two(local.second)}`;
  return `${day}, ${time} ${timeZone} (UTC${local.offset})`;
}

export function pageText({ title, banner, paragraphs, groups, footer }: MailPage): string {
  const blocks = [
    ...(banner === null ? [] : [`*** ${oneLine(banner)} ***`]),
    oneLine(title),
    ...paragraphs.map(oneLine),
    ...groups.map(groupText),
    `-- \n${oneLine(footer)}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function groupText({ heading, rows }: PageGroup): string {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2;
  const lines = rows.map(({ label, value }) => `${`${label}:`.padEnd(width)}${oneLine(value)}`);
  return [heading.toUpperCase(), ...lines].join('\n');
}

// Colours are inline for clients that drop the style sheet; the classes override them in dark mode. No background is set, so that
// clients with a dark mode of their own have nothing to get wrong.
const styleOf = (onDark: string): string => `:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .text { color: #e8eaed !important; }
  .soft { color: #a9b1ba !important; }
  .line { border-color: #444b54 !important; }
  .link, .brand { color: ${onDark} !important; }
}`;
const FONT = 'font-family:-apple-system,BlinkMacSystemFont,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const TEXT = 'color:#1f2328';
const SOFT = 'color:#57606a';
const LINE = 'border-top:1px solid #d0d7de';

/** A page that names a logo needs it as `Mail.logo`. */
export function pageHtml(page: MailPage, brand: MailBrand): string {
  const { shades } = brand;
  const accent = shades[7];
  const shown = (text: string): string => escapeHtml(oneLine(text));
  const banner =
    page.banner === null
      ? ''
      : `<p style="margin:0 0 16px;padding:10px 14px;border-radius:6px;background:#fff3cd;color:#5c4400;font-weight:600">${shown(page.banner)}</p>\n`;
  const paragraphs = page.paragraphs
    .map((text) => `<p class="text" style="margin:0 0 12px;${TEXT}">${shown(text)}</p>\n`)
    .join('');
  const logo =
    brand.logo === null
      ? ''
      : `<img src="cid:${LOGO_CID}" alt="" height="28" style="height:28px;width:auto;max-width:160px;vertical-align:middle;margin-right:10px">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${shown(page.title)}</title>
<style>
${styleOf(shades[3])}
</style>
</head>
<body style="margin:0;padding:24px 16px;${FONT};font-size:15px;line-height:1.5">
<div style="max-width:600px;margin:0 auto">
<p class="brand" style="margin:0 0 20px;padding-bottom:12px;border-bottom:2px solid ${accent};font-weight:650;color:${accent}">${logo}${shown(brand.name)}</p>
${banner}<h1 class="text" style="margin:0 0 16px;font-size:20px;line-height:1.3;${TEXT}">${shown(page.title)}</h1>
${paragraphs}${page.groups.map((group) => groupHtml(group, accent)).join('')}<p class="soft line" style="margin:24px 0 0;padding-top:12px;font-size:13px;${SOFT};${LINE}">${shown(page.footer)}</p>
</div>
</body>
</html>
`;
}

function groupHtml({ heading, rows }: PageGroup, accent: string): string {
  return `<h2 class="soft" style="margin:20px 0 4px;font-size:13px;font-weight:600;${SOFT}">${escapeHtml(heading)}</h2>
<table style="width:100%;border-collapse:collapse">
${rows.map((row) => rowHtml(row, accent)).join('\n')}
</table>
`;
}

// `dir="auto"` gives the value its own direction of writing, so that a Hebrew name does not affect the text beside it.
function rowHtml({ label, value, href = null }: PageRow, accent: string): string {
  const text = escapeHtml(oneLine(value));
  const shown = href === null ? text : `<a class="link" href="${escapeHtml(href)}" style="color:${accent}">${text}</a>`;
  return (
    `<tr><th scope="row" class="soft line" style="width:34%;padding:7px 12px 7px 0;text-align:left;vertical-align:top;font-weight:400;${SOFT};${LINE}">${escapeHtml(label)}</th>` +
    `<td class="text line" dir="auto" style="padding:7px 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;word-break:break-word;${TEXT};${LINE}">${shown}</td></tr>`
  );
}
