import type { ServerSocket } from '../connection-host.ts'

/** Bytes that a socket sends. */
type Data = Parameters<ServerSocket['write']>[0]
type SocketCall = 'pause' | 'resume' | 'shutdown' | 'end' | 'terminate'

/** A socket without a peer: it records the bytes written to it and all other calls. */
export class FakeSocket implements ServerSocket {
  readonly remoteAddress = '203.0.113.7'
  readonly calls: SocketCall[] = []
  /** Returns how many of the offered bytes it takes. */
  takes: (offered: number) => number = (offered) => offered
  /** A reset has arrived, which the next write reports. */
  isBroken = false
  /** It did not take all of what was last offered. */
  isFull = false
  readonly #written: Buffer[] = []

  /** Everything it took. */
  get sent(): Buffer {
    return Buffer.concat(this.#written)
  }

  get isPaused(): boolean {
    return this.calls.filter((call) => call === 'pause' || call === 'resume').at(-1) === 'pause'
  }

  /** Nothing more can be sent, and nothing is read. */
  get isEnded(): boolean {
    return this.calls.includes('end') || this.calls.includes('terminate')
  }

  write(data: Data, offset = 0, length?: number): number {
    if (this.isBroken || this.isEnded || this.calls.includes('shutdown')) return -1
    const offered = bytesOf(data).subarray(offset, length === undefined ? undefined : offset + length)
    const taken = Math.min(offered.length, this.takes(offered.length))
    this.isFull = taken < offered.length
    // A copy: a socket has what it took, whatever becomes of the memory it was in.
    this.#written.push(Buffer.from(offered.subarray(0, taken)))
    return taken
  }

  pause(): void {
    this.calls.push('pause')
  }

  resume(): void {
    this.calls.push('resume')
  }

  shutdown(): void {
    this.calls.push('shutdown')
  }

  end(): number {
    this.calls.push('end')
    return 0
  }

  terminate(): void {
    this.calls.push('terminate')
  }
}

function bytesOf(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return Buffer.from(data)
}
