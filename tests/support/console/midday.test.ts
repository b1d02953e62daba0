import { expect, it } from 'bun:test'
import { middayZone } from './midday.ts'

it('names a zone in which it is between 12:00 and 13:00, at any hour', () => {
  for (let hour = 0; hour < 24; hour++) {
    const now = new Date(Date.UTC(2026, 10, 30, hour, 59))
    const timeZone = middayZone(now)
    const local = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' }).format(now)
    expect(local).toBe('12:59')
  }
})
