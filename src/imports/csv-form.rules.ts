// Finds out how a CSV file is written from its beginning: the separator, the ends of lines, and which column a name means (contract 7.10).

export type CsvForm = { readonly separator: string; readonly lineEnds: readonly string[] };

const SEPARATORS = [',', ';', '\t'] as const;
/** Excel's line that names the separator. */
const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i;

/** The separator that the first line names, or of those that occur in it outside of quotes the most frequent; a comma if none does. */
export function csvFormOf(start: string): CsvForm {
  // Old spreadsheets end lines with CR alone. Beside LF it is a part of CRLF, or of a cell.
  const lineEnds = start.includes('\n') || !start.includes('\r') ? ['\r\n', '\n'] : ['\r'];
  const first = start.split(/\r\n|\r|\n/).find((text) => text.trim() !== '') ?? '';
  const [, named] = SEPARATOR_LINE.exec(first) ?? [];
  if (named !== undefined) return { separator: named, lineEnds };
  const bare = first.replaceAll(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: bare.split(separator).length - 1 }));
  return { separator: counts.toSorted((left, right) => right.count - left.count)[0]?.separator ?? ',', lineEnds };
}

export function isSeparatorLine(cells: readonly string[]): boolean {
  return cells[0]?.trim().toLowerCase() === 'sep=' && cells.slice(1).every((cell) => cell.trim() === '');
}

/** What other systems call our columns. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  phone: [
    'phonenumber',
    'phoneno',
    'telephone',
    'telephonenumber',
    'mobile',
    'mobilenumber',
    'mobilephone',
    'cellphone',
  ],
  email: ['emailaddress', 'mail', 'mailaddress'],
  domain: ['domainname'],
  zip: ['zipcode', 'postalcode', 'postcode'],
  area: ['areacode'],
  expires: ['expiry', 'expirydate', 'expiresat', 'expirationdate'],
  soldAt: ['solddate', 'datesold', 'saledate'],
};

/** The known name that is meant: the same without regard to case, blanks, hyphens and underscores, or a usual other one. Null for none. */
export function knownColumn(written: string, known: readonly string[]): string | null {
  if (known.includes(written)) return written;
  const bare = bareName(written);
  const same = known.filter((name) => bareName(name) === bare);
  if (same.length > 0) return same.length === 1 ? (same[0] ?? null) : null;
  return known.find((name) => Object.hasOwn(OTHER_NAMES, name) && OTHER_NAMES[name]?.includes(bare) === true) ?? null;
}

function bareName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}
