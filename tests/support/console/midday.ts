/**
 * Returns the time zone in which it is the middle of the day now. A console whose day is about to end or has just begun has an empty "today":
 * what a test did before midnight is of yesterday.
 */
export function middayZone(now = new Date()): string {
  const ahead = 12 - now.getUTCHours()
  // These names count hours behind Greenwich.
  return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}
