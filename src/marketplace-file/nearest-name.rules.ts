// Finds the name that was probably meant by one that does not exist.

/**
 * The known name nearest to `name`; null where none is near, which is when more than a third of the letters would be wrong and it is
 * not the beginning of exactly one, nor the other way round.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  return similarName(name, known) ?? cutName(name, known);
}

/** Says that no member has this name here, and which one was probably meant. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== null) return `is not known here; did you mean "${meant}"?`;
  return `is not known here; known are ${known.join(', ')}`;
}

function cutName(name: string, known: readonly string[]): string | null {
  // Two letters begin too many words.
  if (name.length < 3) return null;
  const wanted = name.toLowerCase();
  const cut = known.filter((candidate) => {
    const other = candidate.toLowerCase();
    return other.startsWith(wanted) || (other.length >= 3 && wanted.startsWith(other));
  });
  return cut.length === 1 ? (cut[0] ?? null) : null;
}

function similarName(name: string, known: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let nearest: string | null = null;
  // Two letters are forgiven to short names too: that is one swap.
  let best = Math.min(Math.max(2, Math.floor(name.length / 3)), name.length - 1);
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > best) continue;
    const wrong = editDistance(wanted, candidate.toLowerCase());
    if (wrong < best || (wrong === best && nearest === null)) {
      best = wrong;
      nearest = candidate;
    }
  }
  return nearest;
}

/** Letters to insert, delete or replace; the row of Levenshtein's table is kept in place. */
function editDistance(one: string, other: string): number {
  const row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    let diagonal = row[0] ?? 0;
    row[0] = i;
    for (let j = 1; j <= other.length; j += 1) {
      const above = row[j] ?? 0;
      const replaced = diagonal + (one[i - 1] === other[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, above + 1, (row[j - 1] ?? 0) + 1);
      diagonal = above;
    }
  }
  return row[other.length] ?? 0;
}
