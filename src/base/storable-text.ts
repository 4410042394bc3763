// Whether PostgreSQL can store a text: its types take neither NUL nor half of a surrogate pair (contract 9.8).

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
