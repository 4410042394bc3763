// A time zone whose day, week and month do not end while a test runs.

/** The zone of a whole number of hours where it is between half past eleven and half past twelve. */
export function zoneAtNoon(now = new Date()): string {
  const ahead = 12 - Math.round(now.getUTCHours() + now.getUTCMinutes() / 60);
  // In these names, zones east of Greenwich have a minus sign.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
