import { describe, expect, it } from 'vitest';

import { agentLabel } from './agent-label.rules.ts';

describe('The label of a user agent', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
      'Edge on Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36 OPR/96.0.0.0',
      'Opera on Android',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 16181.0.0) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
      'Chrome on ChromeOS',
    ],
    ['curl/8.14.1', 'Unknown browser'],
    ['Wget/1.25 (Linux)', 'Unknown browser on Linux'],
    ['Firefox/140.0', 'Firefox'],
    ['', 'Unknown browser'],
  ])('for %j is %s', (userAgent, label) => {
    expect(agentLabel(userAgent)).toBe(label);
  });

  it('is computed within a second of processor time for a header of the largest size', () => {
    const before = process.cpuUsage();
    expect(agentLabel('Version/'.repeat(2000))).toBe('Unknown browser');
    const { user, system } = process.cpuUsage(before);
    // About 1 ms; a pattern that backtracks at each occurrence takes minutes.
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
