import { describe, expect, it } from 'bun:test'
import { packedEmbeddings } from './embeddings.ts'

describe('packedEmbeddings', () => {
  it('writes the vectors of an upstream that ignores encoding_format, and leaves everything else', () => {
    const body = '{"object":"list","data":[{"index":0,"embedding":[0.5,-2.0,1e400]},{"index":1}],"id":1.0}'
    const packed = packedEmbeddings(body) ?? ''
    const [first, second] = JSON.parse(packed).data
    const floats = new Float32Array(Uint8Array.from(Buffer.from(first.embedding, 'base64')).buffer)
    expect([...floats]).toEqual([0.5, -2, Number.POSITIVE_INFINITY])
    expect([first.index, second, packed.includes('"id":1.0')]).toEqual([0, { index: 1 }, true])
  })

  it('passes what is packed, or is no vector', () => {
    expect(packedEmbeddings('{"data":[{"embedding":"AAAAPw=="}]}')).toBeUndefined()
    const matrix = '{"data":[{"embedding":[[1],[2]]}]}'
    expect(packedEmbeddings(matrix)).toBe(matrix)
  })
})
