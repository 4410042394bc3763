import { expect, test } from 'vitest';

import { addressNet } from './address-net.rules.ts';

test.each([
  ['203.0.113.24', '203.0.113.24'],
  ['::ffff:203.0.113.24', '203.0.113.24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['somewhere', 'somewhere'],
  ['', ''],
])('%j counts as %j', (address, net) => {
  expect(addressNet(address)).toBe(net);
});
