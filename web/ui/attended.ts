// Whether somebody is at this page: what it asks for by itself must not keep alive a session that nobody uses (decision 022).

/** Longer than reading a page takes between two touches, far shorter than the time after which a session falls idle. */
const ATTENDED_MS = 120_000;

let touchedAt = performance.now();
for (const event of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const)
  addEventListener(event, () => (touchedAt = performance.now()), { capture: true, passive: true });

export function isAttended(): boolean {
  return performance.now() - touchedAt < ATTENDED_MS;
}
