// One-time codes of authenticator apps: TOTP with six digits every 30 seconds (RFC 6238, decision 022).
import { Secret, TOTP } from 'otpauth';

const PERIOD_S = 30;
const ISSUER = 'Lead Marketplace';
/** 160 bits, the length that the standard recommends and every app takes. */
const SECRET_BYTES = 20;
/** Accepts one step before and after, for clocks that are half a minute off and for slow typing. */
const STEPS_OFF = 1;

/** In base32, the form in which apps accept a typed secret. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that an app reads from a QR code. */
export function totpUri(name: string, secret: string): string {
  return totp(name, secret).toString();
}

/** The time step of the code, the current one or one next to it; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const timestamp = now.getTime();
  const delta = totp('', secret).validate({ token: code, timestamp, window: STEPS_OFF });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD_S) + delta;
}

function totp(label: string, secret: string): TOTP {
  return new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  });
}
