import { describe, expect, it } from 'bun:test'
import { exportName } from './export-name.ts'

const at = (text: string) => Date.parse(text) / 1000
const now = at('2026-11-29T12:00:00Z')

describe('the name of an exported file', () => {
  it('says the first and the last day by the reader’s clock', () => {
    const month = {
      start_timestamp: at('2026-09-30T16:00:00Z'),
      end_timestamp: at('2026-10-31T15:59:59Z'),
      time_zone: 'Asia/Shanghai',
    }
    expect(exportName('log', month, now)).toBe('tollgate-log-2026-10-01_2026-10-31.csv')
    expect(exportName('spend', { ...month, time_zone: undefined, utc_offset: -480 }, now)).toBe(
      'tollgate-spend-2026-09-30_2026-10-31.csv',
    )
  })

  it('has a day for times that no calendar has', () => {
    const far = { start_timestamp: Number.MIN_SAFE_INTEGER, end_timestamp: Number.MIN_SAFE_INTEGER }
    expect(exportName('log', far, now)).toBe('tollgate-log-1970-01-01_1970-01-01.csv')
    expect(exportName('log', { ...far, end_timestamp: Number.MAX_SAFE_INTEGER }, now)).toBe(
      'tollgate-log-1970-01-01_2026-11-29.csv',
    )
  })

  it('ends today without an end, and with one that is to come', () => {
    expect(exportName('orders', {}, now)).toBe('tollgate-orders-until-2026-11-29.csv')
    expect(
      exportName('statement', { start_timestamp: at('2026-11-01T00:00:00Z'), end_timestamp: now + 9e6 }, now),
    ).toBe('tollgate-statement-2026-11-01_2026-11-29.csv')
  })
})
