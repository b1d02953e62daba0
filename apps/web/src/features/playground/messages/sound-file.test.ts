import { describe, expect, it } from 'bun:test'
import { soundFile } from './sound-file.ts'

describe('a sound in pieces', () => {
  it('becomes a WAV file where it has no head of its own', async () => {
    const file = soundFile([btoa('\u0001\u0002'), btoa('\u0003\u0004\u0005\u0006')])
    expect(file.type).toBe('audio/wav')
    const bytes = new DataView(await file.arrayBuffer())
    expect(bytes.byteLength).toBe(44 + 6)
    expect(bytes.getUint32(40, true)).toBe(6)
    expect(bytes.getUint32(24, true)).toBe(24_000)
    expect(bytes.getUint8(49)).toBe(6)
  })

  it('stays the file that it is', async () => {
    const file = soundFile([btoa('ID3xyz')])
    expect(file.type).toBe('audio/mpeg')
    expect(await file.text()).toBe('ID3xyz')
  })

  it('takes a piece that is no base64 for silence', () => {
    expect(soundFile(['%%%']).size).toBe(44)
  })
})
