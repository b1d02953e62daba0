import { describe, expect, it } from 'bun:test'
import { relativeTime } from './relative-time.ts'

describe('relativeTime', () => {
  it('speaks in the largest unit that still says something', () => {
    const from = (distance: number) => relativeTime(1_000_000_000 + distance, 1_000_000_000, 'en')
    expect(from(0)).toBe('now')
    expect(from(30)).toBe('in 30 sec.')
    expect(from(-120)).toBe('2 min. ago')
    expect(from(3600)).toBe('in 60 min.')
    expect(from(86_400)).toBe('in 24 hr.')
    expect(from(30 * 86_400)).toBe('in 30 days')
    expect(from(-100 * 86_400)).toBe('3 mo. ago')
  })

  it('spells units out in sentences', () => {
    expect(relativeTime(1_000_000_000 + 86_400, 1_000_000_000, 'en', 'long')).toBe('in 24 hours')
  })

  it('speaks both languages', () => {
    expect(relativeTime(1_000_000_000 + 3 * 86_400, 1_000_000_000, 'zh')).toBe('3 天后')
  })
})
