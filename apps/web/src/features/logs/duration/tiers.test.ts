import { expect, it } from 'bun:test'
import { durationTier, firstTokenTier, slownessTier } from './tiers.ts'

it('use time is good under 101 s and bad from 300 s on', () => {
  expect([0, 100, 101, 299, 300].map(durationTier)).toEqual(['good', 'good', 'warn', 'warn', 'bad'])
})

it('a first token is good under 3 s and bad from 10 s on', () => {
  expect([0, 2999, 3000, 9999, 10_000].map(firstTokenTier)).toEqual(['good', 'good', 'warn', 'warn', 'bad'])
})

it('a call is slow from four times on what its model typically takes, and never below 2 s', () => {
  const judge = (tookMs: number, typicalMs?: number) => slownessTier(tookMs, typicalMs)
  expect([judge(3900, 1000), judge(4000, 1000), judge(10_000, 1000)]).toEqual(['good', 'warn', 'bad'])
  expect([judge(1900, 100), judge(90_000), judge(101_000, 90_000), judge(300_000, 250_000)]).toEqual([
    'good',
    'good',
    'warn',
    'bad',
  ])
})
