import type { UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import { FrameTooLargeError, type ScannedFrame } from '../framing/frame.ts'
import { SseScanner } from '../framing/sse.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { isObject, type JsonObject, parseJson, textOf } from '../json/value.ts'
import {
  type Delivered,
  DeliveredText,
  type StreamOutcome,
  type StreamPhase,
} from '../streams/stream-meter.ts'
import { frameFailure, type StreamReader, type StreamStep } from '../streams/stream-reader.ts'
import type { Usage } from '../usage.ts'
import { readMediaUsage } from './responses.ts'

const nothing: Delivered = { text: '', overflowBytes: 0, toolCalls: 0 }

/** Follows a stream of bytes that are the response themselves, a recording: each passes as it comes. */
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

/** Number of the largest events that may wait for the settlement: one for each image. */
const maxHeldFrames = 4

interface EventStreamOptions {
  /** Kind of the output, where its usage does not say. */
  readonly output: 'image' | 'audio' | 'text'
  /** The usage that the request alone shows, for upstreams that report none. */
  readonly knownUsage?: Usage | undefined
  readonly maxFrameBytes: number
  readonly decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo
}

/** `image_generation.completed`, `speech.audio.done`, `transcript.text.done`. */
const finished = /\.(completed|done)$/

/**
 * Follows the events of images, speech and transcriptions: all pass as received. The last event, which carries the end
 * and the usage, waits for the settlement.
 */
export class EventStreamReader implements StreamReader {
  phase: StreamPhase = 'waiting'
  #usageSoFar: Usage | undefined
  readonly #options: EventStreamOptions
  readonly #scanner: SseScanner
  readonly #text = new DeliveredText()
  #error: UpstreamErrorInfo | undefined
  #isFinished = false
  /** Events that report an end; more may follow, one for each image. */
  #held: Uint8Array[] = []
  #heldBytes = 0

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#scanner = new SseScanner(options.maxFrameBytes)
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#take(() => this.#scanner.push(chunk), false)
  }

  end(): StreamStep {
    return this.#take(() => this.#scanner.end(), true)
  }

  get outcome(): StreamOutcome {
    if (this.phase === 'waiting') return 'empty'
    return this.#isFinished && this.#error === undefined ? 'complete' : 'cut'
  }

  get usage(): Usage | undefined {
    return this.#usageSoFar ?? this.#options.knownUsage
  }

  get latestUsage(): Usage | undefined {
    return this.usage
  }

  get deliveredSize(): number {
    return this.#text.size
  }

  delivered(): Delivered {
    return this.#text.read()
  }

  trailer(): string {
    return this.#held.map(decodeUtf8).join('')
  }

  #take(scan: () => readonly ScannedFrame[], done: boolean): StreamStep {
    const forward: Uint8Array[] = []
    try {
      for (const frame of scan()) {
        if (this.#error !== undefined) break
        this.#read(frame, forward)
      }
    } catch (error) {
      this.#error = frameFailure(error)
    }
    return { forward, error: this.#error, done }
  }

  #read(frame: ScannedFrame, forward: Uint8Array[]): void {
    const bytes = frame.bytes.subarray(frame.start, frame.end)
    const data = frame.data === undefined ? '' : decodeUtf8(frame.data)
    if (data === '' || data === '[DONE]') {
      this.#pass(bytes, forward)
      return
    }
    const event = parseJson(data)
    if (!isObject(event) || isError(event)) {
      this.#error = this.#options.decodeError({ status: 200, headers: {}, body: data })
      return
    }
    this.#follow(event)
    this.#pass(bytes, forward)
  }

  #pass(bytes: Uint8Array, forward: Uint8Array[]): void {
    if (!this.#isFinished) {
      forward.push(bytes)
      return
    }
    this.#held.push(bytes)
    this.#heldBytes += bytes.length
    const { maxFrameBytes } = this.#options
    if (this.#heldBytes > maxHeldFrames * maxFrameBytes) throw new FrameTooLargeError(maxFrameBytes)
  }

  #follow(event: JsonObject): void {
    const type = textOf(event.type)
    this.phase = 'delivering'
    this.#usageSoFar = readMediaUsage(event.usage, this.#options.output) ?? this.#usageSoFar
    if (type === 'transcript.text.delta') this.#text.append(textOf(event.delta))
    this.#isFinished ||= finished.test(type)
  }
}

function isError({ type, error }: JsonObject): boolean {
  return type === 'error' || isObject(error)
}
