// What a person recognises a session by: browser and system, as far as the browser tells (decision 022).

/** The first that is found: every browser also claims to be those that came before it. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?\//, 'Edge'],
  [/\bEdgiOS\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  // Each half is looked for once, from the start: a header may be long and say Version/ over and over.
  [/^(?=.*\bVersion\/\S).*\bSafari\//, 'Safari'],
];

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
];

export function agentLabel(userAgent: string): string {
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === null) return system === null ? 'Unknown browser' : `Unknown browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
}

function nameIn(names: ReadonlyArray<readonly [RegExp, string]>, text: string): string | null {
  return names.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
