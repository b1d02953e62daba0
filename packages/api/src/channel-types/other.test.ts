import { describe, expect, it } from 'bun:test'
import { otherFault } from './other.ts'

describe('the free field of a Vertex channel', () => {
  it.each(['us-central1', ' global ', 'eu', '{"default":"us-east5","claude-opus-5":"europe-west1"}'])(
    'may be %s',
    (other) => {
      expect(otherFault(other, 41)).toBeUndefined()
    },
  )

  it.each([
    '',
    'evil.example/',
    'US',
    '["us-central1"]x',
    '{"default":"us-east5","m":"a.b/"}',
    '{"default":"us-east5","m":1}',
  ])('must name regions, not %p', (other) => {
    expect(otherFault(other, 41)).toBe('region-required')
  })

  it('needs a region for all other models', () => {
    expect(otherFault('{"m":"us-east5"}', 41)).toBe('region-default-required')
    expect(otherFault('anything', 1)).toBeUndefined()
  })
})
