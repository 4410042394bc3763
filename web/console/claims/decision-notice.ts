// The outcome of the last decision, kept while the page changes to the next claim.

type Notice = { readonly words: string; readonly above: string };

let last: Notice | null = null;
let region: HTMLElement | null = null;

/** Stores the outcome to show on the page of the claim `above`, and announces it to screen readers. */
export function noteDecision(words: string, above: string): void {
  last = { words, above };
  announce(words);
}

/** The outcome to show on this claim's page; null for none. */
export function decisionAbove(claimId: string): string | null {
  return last?.above === claimId ? last.words : null;
}

export function clearDecision(): void {
  last = null;
}

/** Uses an element outside of the pages: screen readers skip a live region that appears together with a new page. */
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
