import { describe, expect, it } from 'bun:test'
import { Refusal } from '../../lib/refusal.ts'
import { readOther } from './channel-input.ts'

function codeOf(read: () => unknown): string {
  try {
    read()
    return 'accepted'
  } catch (error) {
    return error instanceof Refusal ? error.code : String(error)
  }
}

describe('the free field', () => {
  it('is the version 2.1 for Spark when nothing was chosen', () => {
    expect([readOther('', 18), readOther('v3.5', 18), readOther('', 1)]).toEqual(['v2.1', 'v3.5', ''])
  })

  it('is a region for Vertex, or regions by model with one for the others', () => {
    expect(readOther('us-central1', 41)).toBe('us-central1')
    expect(readOther('{"default":"us-central1","gemini-pro":"europe-west1"}', 41)).toContain('europe')
    expect(codeOf(() => readOther('', 41))).toBe('channel_region_required')
    for (const other of ['{"gemini-pro":"europe-west1"}', '{"default":""}', '{"default":1}', '[]'])
      expect(codeOf(() => readOther(other, 41))).toBe('channel_region_default_required')
  })

  it('is optional for SiliconCloud', () => expect(readOther('', 40)).toBe(''))
})
