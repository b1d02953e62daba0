/** Request ids of the gateway: local time of the server as 14 digits, 9 digits of fraction, 8 random characters. */
const shape = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})\d{9}[0-9A-Za-z]{8}$/

export function isRequestId(text: string): boolean {
  return shape.test(text)
}

/**
 * The moments, in Unix seconds, at which a call with this id may have arrived: the time in it read as this browser's
 * and as universal time, because the server's zone is not known here.
 */
export function requestTimes(id: string): readonly number[] {
  const parts = shape.exec(id)
  if (!parts) return []
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map(Number)
  const local = new Date(year, month - 1, day, hours, minutes, seconds).getTime() / 1000
  const universal = Date.UTC(year, month - 1, day, hours, minutes, seconds) / 1000
  return local === universal ? [local] : [local, universal]
}
