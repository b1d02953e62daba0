import { describe, expect, it } from 'bun:test'
import { formatSpan } from './format-span.ts'

describe('formatSpan', () => {
  it('shows as many digits as matter', () => {
    expect([0.4, 483, 3404, 12_345, 125_400].map(formatSpan)).toEqual([
      '0 ms',
      '483 ms',
      '3.40 s',
      '12.3 s',
      '2 min 5 s',
    ])
  })
})
