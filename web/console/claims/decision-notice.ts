// What came of the last decision, kept while the next claim's page takes the place of the one before.

type Notice = { readonly words: string; readonly above: string };

let last: Notice | null = null;
let region: HTMLElement | null = null;

/** To be told above the claim `above`, and read aloud at once. */
export function noteDecision(words: string, above: string): void {
  last = { words, above };
  announce(words);
}

/** Null where nothing is to be told above this claim. */
export function decisionAbove(claimId: string): string | null {
  return last?.above === claimId ? last.words : null;
}

export function clearDecision(): void {
  last = null;
}

/** In a place that no page takes away: what appears together with a new page is not read. */
function announce(words: string): void {
  if (region === null) {
    region = document.createElement('div');
    region.setAttribute('role', 'status');
    region.style.cssText =
      'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap';
    document.body.append(region);
  }
  region.textContent = words;
}
