// Which form of an invoice's document a request asks for (RFC 9110, Accept).

/** PDF unless HTML is preferred; also where neither is accepted, because a document that can be saved is better than none. */
export function preferredForm(accept: string | undefined): 'pdf' | 'html' {
  return qualityOf('text/html', accept) > qualityOf('application/pdf', accept) ? 'html' : 'pdf';
}

/** By the most specific range that matches; 0 where none does. Everything is equally good without the header. */
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

/** A weight that cannot be read counts as 1, like one that is not given. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return weight !== undefined && /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 1;
}
