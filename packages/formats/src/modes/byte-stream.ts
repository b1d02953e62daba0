import type { Delivered } from '../delivered-text.ts'
import type { StreamOutcome, StreamPhase } from '../stream-meter.ts'
import type { StreamReader, StreamStep } from '../stream-reader.ts'
import type { Usage } from '../usage.ts'

const nothing: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

/** Follows a stream of bytes that are the answer themselves, a recording: each passes as it comes. */
export class ByteStreamReader implements StreamReader {
  readonly usage: Usage | undefined
  readonly deliveredSize = 0
  phase: StreamPhase = 'waiting'
  outcome: StreamOutcome = 'empty'

  /** @param usage known from the request; bytes count nothing */
  constructor(usage: Usage | undefined) {
    this.usage = usage
  }

  push(chunk: Uint8Array): StreamStep {
    if (chunk.length === 0) return { forward: [], error: undefined, done: false }
    this.phase = 'delivering'
    this.outcome = 'cut'
    return { forward: [chunk], error: undefined, done: false }
  }

  end(): StreamStep {
    if (this.phase === 'delivering') this.outcome = 'complete'
    return { forward: [], error: undefined, done: true }
  }

  get latestUsage(): Usage | undefined {
    return this.usage
  }

  delivered(): Delivered {
    return nothing
  }

  trailer(): string {
    return ''
  }
}
