// Chooses PDF or HTML for an invoice document by the Accept header (RFC 9110).

/** PDF unless HTML is preferred. Also PDF if neither is accepted, rather than an error. */
export function preferredForm(accept: string | undefined): 'pdf' | 'html' {
  return qualityOf('text/html', accept) > qualityOf('application/pdf', accept) ? 'html' : 'pdf';
}

/** The weight of the most specific matching range, 0 without a match, 1 without the header. */
function qualityOf(mediaType: string, accept: string | undefined): number {
  if (accept === undefined) return 1;
  const [type = ''] = mediaType.split('/');
  const specificity = ['*/*', `${type}/*`, mediaType];
  let best = -1;
  let quality = 0;
  for (const part of accept.split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const rank = specificity.indexOf(range);
    if (rank <= best) continue;
    best = rank;
    quality = weightOf(parameters);
  }
  return quality;
}

/** A missing or malformed weight counts as 1. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}
