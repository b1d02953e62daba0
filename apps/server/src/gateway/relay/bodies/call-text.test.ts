import { describe, expect, it } from 'bun:test'
import { bodyRelease, callText, releaseCharged, textAlone } from './call-text.ts'

const bodyOf = (bytes: number) => Buffer.from(new Uint8Array(bytes).fill(0x61).buffer)

const reply = { body: new Uint8Array() }

describe('releaseCharged', () => {
  it('returns the memory of a body at once, and lets nobody read an empty text instead', () => {
    const bytes = bodyOf(200_000)
    const call = callText(bytes)
    releaseCharged(call, reply)
    expect(bytes.buffer.byteLength).toBe(0)
    expect(call.bytes).toBeUndefined()
    expect(() => call.text).toThrow('released')
  })

  it('leaves a text that was made before', () => {
    const call = callText(bodyOf(20_000))
    expect(textAlone(call)).toHaveLength(20_000)
    releaseCharged(call, reply)
    expect(call.text).toHaveLength(20_000)
  })

  it('leaves the body of a stream, which counts by it until it ends', () => {
    const bytes = bodyOf(20_000)
    const call = callText(bytes)
    releaseCharged(call, { body: { pipe() {} } })
    expect(call.bytes).toHaveLength(20_000)
    bodyRelease(call)?.()
    expect(bytes.buffer.byteLength).toBe(0)
  })

  it('leaves bytes that share their memory with others', () => {
    const memory = bodyOf(40_000)
    releaseCharged(callText(memory.subarray(0, 20_000)), reply)
    expect(memory.buffer.byteLength).toBe(40_000)
  })
})
