import { describe, expect, it } from 'bun:test'
import { OutputBuffer } from './output-buffer.ts'

const kilobyte = 1024

/** A socket that takes so many bytes of each write, and what it has taken. */
function socketThatTakes(bytes = Number.POSITIVE_INFINITY) {
  const taken: Buffer[] = []
  return {
    taken,
    write(data: string | Uint8Array, offset = 0, length = data.length - offset): number {
      const all = Buffer.from(data as Uint8Array).subarray(offset, offset + length)
      taken.push(Buffer.from(all.subarray(0, bytes)))
      return Math.min(bytes, all.length)
    },
  }
}

const openOutput = (socket: ReturnType<typeof socketThatTakes>) =>
  new OutputBuffer(socket as unknown as Pick<Bun.Socket, 'write'>)

describe('OutputBuffer', () => {
  it.each([
    ['a head with the beginning of a long body', [200], 2],
    ['short pieces with the long ones behind them', [100, 1, 100], 4],
    ['all that is short at once', [1, 20, 30], 1],
  ])('sends %s', (_, kilobytes, writes) => {
    const socket = socketThatTakes()
    const pieces = kilobytes.map((size, index) => Buffer.alloc(size * kilobyte, `${index}`))
    openOutput(socket).write('head', pieces, '')
    expect(socket.taken).toHaveLength(writes)
    expect(Buffer.concat(socket.taken).equals(Buffer.concat([Buffer.from('head'), ...pieces]))).toBe(true)
  })

  it('sends every byte in its order to a socket that takes little at once', () => {
    const socket = socketThatTakes(10_001)
    const output = openOutput(socket)
    const pieces = [150, 3, 90].map((size) =>
      Buffer.from(Array.from({ length: size * kilobyte }, (_, at) => (at * 7) % 251)),
    )
    output.write('head', pieces, '')
    while (!output.isFlushed) output.flush()
    expect(Buffer.concat(socket.taken).equals(Buffer.concat([Buffer.from('head'), ...pieces]))).toBe(true)
  })
})
