// Whether the page that appears next was gone to from another one, so that its heading takes the focus.

let hasArrived = false;

export function noteArrival(): void {
  hasArrived = true;
}

/** True once after each change of address. */
export function takeArrival(): boolean {
  const arrived = hasArrived;
  hasArrived = false;
  return arrived;
}
