/** Milliseconds by which the server's clock is ahead of this device's; 0 while they agree. Every page's first response tells. */
let aheadMs = 0
/** A response takes seconds to come: what is less is no difference of clocks. */
const toleratedMs = 60_000

/** Reads from a response how far this device's clock is off. The server alone judges what is over, and when something begins. */
export function compareClocks({ headers }: Pick<Response, 'headers'>): void {
  const difference = Date.parse(headers.get('date') ?? '') - Date.now()
  if (Number.isNaN(difference)) return
  aheadMs = Math.abs(difference) > toleratedMs ? difference : 0
}

/** Returns the present moment by the server's clock, in the time zone of this device. */
export function dateNow(): Date {
  return new Date(Date.now() + aheadMs)
}

/** Returns the same in Unix seconds, with their fractions. */
export function secondsNow(): number {
  return (Date.now() + aheadMs) / 1000
}
