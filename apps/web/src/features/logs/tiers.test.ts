import { expect, it } from 'bun:test'
import { durationTier, firstTokenTier } from './tiers.ts'

it('use time is good under 101 s and bad from 300 s on', () => {
  expect([0, 100, 101, 299, 300].map(durationTier)).toEqual(['good', 'good', 'warn', 'warn', 'bad'])
})

it('a first token is good under 3 s and bad from 10 s on', () => {
  expect([0, 2999, 3000, 9999, 10_000].map(firstTokenTier)).toEqual(['good', 'good', 'warn', 'warn', 'bad'])
})
