import { describe, expect, it } from 'bun:test'
import { firstDayOfWeek } from './week.ts'

/** Set for a runtime that knows the weeks of regions. */
const knows = 'getWeekInfo' in Intl.Locale.prototype || 'weekInfo' in Intl.Locale.prototype

describe('firstDayOfWeek', () => {
  it.skipIf(!knows)('is that of the region', () => {
    expect(firstDayOfWeek('en-US')).toBe(0)
    expect(firstDayOfWeek('en-GB')).toBe(1)
    expect(firstDayOfWeek('de-DE')).toBe(1)
    expect(firstDayOfWeek('ar-EG')).toBe(6)
  })

  it('is a day of the week for names that are none', () => {
    expect([0, 1, 2, 3, 4, 5, 6]).toContain(firstDayOfWeek('not a language'))
  })
})
