// Text areas with code: how they look, and moving their caret to a line and column that an error names.

/** Of a `Textarea` for YAML or a template. */
export const CODE_STYLES = {
  input: {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: 13,
    whiteSpace: 'pre',
    // Otherwise an error makes the whole text red.
    color: 'var(--mantine-color-text)',
    overflowX: 'auto',
  },
} as const;

/** Focuses the area at a line and column, both from 1. */
export function goToPlace(area: HTMLTextAreaElement | null, line: number, column: number): void {
  if (area === null) return;
  const offset = offsetOf(area.value, line, column);
  area.focus();
  area.setSelectionRange(offset, offset);
  // Browsers do not scroll to the caret.
  area.scrollTop = Math.max(0, (line - 5) * (Number.parseFloat(getComputedStyle(area).lineHeight) || 20));
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let at = 1; at < line; at += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) break;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
