// Suggests the existing name that is closest to an unknown one ("did you mean").
import { distance } from 'fastest-levenshtein';

/**
 * The known name nearest to `name`; null if more than a third of the letters differ and neither is the beginning of the other for
 * exactly one known name.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  return similarName(name, known) ?? cutName(name, known);
}

/** The error message for an unknown member, with the member that was probably meant. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  if (meant !== null) return `is not known here; did you mean "${meant}"?`;
  return `is not known here; known are ${known.join(', ')}`;
}

function cutName(name: string, known: readonly string[]): string | null {
  // Too many words begin with the same two letters.
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
  // At least two differences are allowed: that is one swap.
  let best = Math.min(Math.max(2, Math.floor(name.length / 3)), name.length - 1);
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > best) continue;
    const wrong = distance(wanted, candidate.toLowerCase());
    if (wrong < best || (wrong === best && nearest === null)) {
      best = wrong;
      nearest = candidate;
    }
  }
  return nearest;
}
