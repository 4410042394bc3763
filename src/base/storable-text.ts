// Whether PostgreSQL can store a text: its types take neither NUL nor half of a surrogate pair (contract 1.6).

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
