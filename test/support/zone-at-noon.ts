// A time zone whose day, week and month do not end while a test runs.

/** The zone of a whole number of hours in which it is between half past eleven and half past twelve. */
export function zoneAtNoon(now = new Date()): string {
  const ahead = 12 - Math.round(now.getUTCHours() + now.getUTCMinutes() / 60);
  // By the sign of these names, zones east of Greenwich have a minus.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}
