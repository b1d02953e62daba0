import type { ServerSocket } from '../server-connection.ts'

/** What a socket can be given to send. */
type Data = Parameters<ServerSocket['write']>[0]
type Deed = 'pause' | 'resume' | 'shutdown' | 'end' | 'terminate'

/** A socket with nobody behind it: it keeps what is written to it, and what else is done with it. */
export class FakeSocket implements ServerSocket {
  readonly remoteAddress = '203.0.113.7'
  readonly deeds: Deed[] = []
  /** How many of so many bytes it takes. */
  takes: (offered: number) => number = (offered) => offered
  /** It did not take all of what was last offered. */
  isFull = false
  readonly #written: Buffer[] = []

  /** Everything it took. */
  get sent(): Buffer {
    return Buffer.concat(this.#written)
  }

  get isPaused(): boolean {
    return this.deeds.filter((deed) => deed === 'pause' || deed === 'resume').at(-1) === 'pause'
  }

  /** Nothing more can be sent, and nothing is read. */
  get isEnded(): boolean {
    return this.deeds.includes('end') || this.deeds.includes('terminate')
  }

  write(data: Data, offset = 0, length?: number): number {
    if (this.isEnded || this.deeds.includes('shutdown')) return -1
    const offered = bytesOf(data).subarray(offset, length === undefined ? undefined : offset + length)
    const taken = Math.min(offered.length, this.takes(offered.length))
    this.isFull = taken < offered.length
    // A copy: a socket has what it took, whatever becomes of the memory it was in.
    this.#written.push(Buffer.from(offered.subarray(0, taken)))
    return taken
  }

  pause(): void {
    this.deeds.push('pause')
  }

  resume(): void {
    this.deeds.push('resume')
  }

  shutdown(): void {
    this.deeds.push('shutdown')
  }

  end(): number {
    this.deeds.push('end')
    return 0
  }

  terminate(): void {
    this.deeds.push('terminate')
  }
}

function bytesOf(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return Buffer.from(data)
}
