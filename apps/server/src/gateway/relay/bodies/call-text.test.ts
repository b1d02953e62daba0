import { describe, expect, it } from 'bun:test'
import { callText, releaseBody, textAlone } from './call-text.ts'

const bodyOf = (bytes: number) => Buffer.from(new Uint8Array(bytes).fill(0x61).buffer)

describe('releaseBody', () => {
  it('returns the memory of a body at once, and lets nobody read an empty text instead', () => {
    const bytes = bodyOf(200_000)
    const call = callText(bytes)
    releaseBody(call)
    expect(bytes.buffer.byteLength).toBe(0)
    expect(call.bytes).toBeUndefined()
    expect(() => call.text).toThrow('released')
  })

  it('leaves a text that was made before', () => {
    const call = callText(bodyOf(20_000))
    expect(textAlone(call)).toHaveLength(20_000)
    releaseBody(call)
    expect(call.text).toHaveLength(20_000)
  })

  it('leaves bytes that share their memory with others', () => {
    const memory = bodyOf(40_000)
    releaseBody(callText(memory.subarray(0, 20_000)))
    expect(memory.buffer.byteLength).toBe(40_000)
  })
})
