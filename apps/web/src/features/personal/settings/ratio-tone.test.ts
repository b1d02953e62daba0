import { expect, it } from 'bun:test'
import { ratioTone } from './ratio-tone.ts'

it.each([
  [5.1, 'bad'],
  [5, 'warn'],
  [3.1, 'warn'],
  [3, 'info'],
  [1.1, 'info'],
  [1, 'good'],
  [0, 'good'],
] as const)('marks a ratio of %p as %s', (ratio, tone) => {
  expect(ratioTone(ratio)).toBe(tone)
})
