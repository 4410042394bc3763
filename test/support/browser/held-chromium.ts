// Holds the Chromium of a worker from its first browser test to the worker's end. After a kill it ends too, because its pipe is closed.

type Closable = { close(): Promise<void> };

// The environment that closes it and the tests have a copy of this module each, so the process itself holds it.
const HELD = Symbol.for('the Chromium of this worker');
const holder = globalThis as { [HELD]?: Promise<Closable> };

export function holdChromium(chromium: Promise<Closable>): void {
  holder[HELD] = chromium;
}

export async function closeChromium(): Promise<void> {
  const chromium = await holder[HELD]?.catch(() => null);
  await chromium?.close();
}
