import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { decodeStream, maxMisses, newChunkState } from './decode-stream.ts'

const delta = fc.oneof(
  fc.record({ content: fc.string() }),
  fc.record({ reasoning_content: fc.string() }),
  fc.record({ content: fc.string(), role: fc.constant('assistant') }),
  fc.record({ content: fc.constant(null), reasoning: fc.string() }),
  fc.record({ tool_calls: fc.constant([{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]) }),
)
const event = fc.record({
  id: fc.constantFrom('a', 'b'),
  index: fc.constantFrom(0, 0, 0, 1),
  delta,
  finish_reason: fc.constantFrom(null, null, null, 'stop'),
  usage: fc.constantFrom(undefined, undefined, { prompt_tokens: 1, completion_tokens: 1 }),
})

describe('an event that is like the one before but for its text', () => {
  it('means what it would mean if it were parsed', () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const quick = newChunkState()
        const parsed = { ...newChunkState(), misses: maxMisses }
        for (const { id, usage, ...choice } of events) {
          const frame = { event: '', data: JSON.stringify({ id, choices: [choice], usage }) }
          expect(decodeStream.step(quick, frame)).toEqual(decodeStream.step(parsed, frame))
        }
      }),
      { numRuns: 500 },
    )
  })
})
