// What counts as one place on the internet: an IPv4 address, or the /64 of an IPv6 one, which is what one line is given (decision 022).
import ipaddr from 'ipaddr.js';

/** Any text that is no address is its own place. */
export function addressNet(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
