import type { ToolCalls } from '../canonical/charged-tools.ts'
import type { TextFrame } from '../canonical/codec.ts'
import type { ApiError } from '../errors/upstream-error.ts'
import type { FrameScanner, ScannedFrame } from '../framing/frame.ts'
import { JsonArrayScanner } from '../framing/json-array.ts'
import { SseScanner } from '../framing/sse.ts'
import { type FrameWriter, JsonArrayWriter, sseWriter } from '../framing/writer.ts'
import { parseExactJson } from '../json/exact-json.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { isObject } from '../json/value.ts'
import type { StreamOutcome, StreamPhase } from '../streams/stream-meter.ts'
import { type Delivered, DeliveredText } from '../streams/stream-meter.ts'
import type { StreamReader, StreamStep } from '../streams/stream-reader.ts'
import { type Usage, usageOf } from '../usage.ts'
import { maskSlots, type WordFilter } from './filter-body.ts'
import {
  type EndReason,
  type MutableObject,
  type ResponseTexts,
  type StreamEnding,
  slotText,
} from './text-slots.ts'
import type { BufferedFrame } from './word-matcher.ts'
import { WordMatcher } from './word-matcher.ts'

/** Filter of a stream, and the form in which its caller reads it. */
export interface FilterOptions {
  readonly filter: WordFilter
  readonly texts: ResponseTexts
  /** The stream is one JSON list, and not server-sent events. */
  readonly isList: boolean
  /** The caller asked for usage in its stream. */
  readonly includeUsage: boolean
  readonly maxFrameBytes: number
}

/**
 * Removes the operator's words from a streamed response on its way to the caller. It reads frames in the caller's format:
 * frames without a word pass unchanged, and wait only while their end may be the beginning of a word.
 */
export class FilteredStream implements StreamReader {
  readonly #reader: StreamReader
  readonly #options: FilterOptions
  readonly #scanner: FrameScanner
  readonly #writer: FrameWriter
  readonly #matcher: WordMatcher
  readonly #ending: StreamEnding
  readonly #delivered = new DeliveredText()
  #hasWritten = false

  constructor(reader: StreamReader, options: FilterOptions) {
    const { isList, maxFrameBytes, filter, texts } = options
    this.#reader = reader
    this.#options = options
    this.#scanner = isList ? new JsonArrayScanner(maxFrameBytes) : new SseScanner(maxFrameBytes)
    this.#writer = isList ? new JsonArrayWriter() : sseWriter
    this.#matcher = new WordMatcher(filter)
    this.#ending = texts.startEnding()
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#step(this.#reader.push(chunk))
  }

  end(): StreamStep {
    const step = this.#step(this.#reader.end())
    if (this.outcome === 'complete' || this.outcome === 'stopped') return step
    const forward = [...step.forward]
    this.#writeTo(forward, this.#matcher.releaseAll())
    return { ...step, forward }
  }

  get phase(): StreamPhase {
    return this.#reader.phase
  }

  get outcome(): StreamOutcome {
    return this.#matcher.isStopped ? 'stopped' : this.#reader.outcome
  }

  /** Returns the upstream's count, which is too high, or missing, for a stopped response. */
  get usage(): Usage | undefined {
    return this.#matcher.isStopped ? undefined : this.#reader.usage
  }

  get toolCalls(): ToolCalls | undefined {
    return this.#reader.toolCalls
  }

  get leftOut(): readonly string[] | undefined {
    return this.#reader.leftOut
  }

  get latestUsage(): Usage | undefined {
    const usage = this.#reader.latestUsage
    return this.#matcher.isStopped && usage !== undefined
      ? { ...usage, outputTokens: 0, reasoningTokens: 0 }
      : usage
  }

  delivered(): Delivered {
    const delivered = this.#reader.delivered()
    if (!this.#matcher.isStopped) return delivered
    return { ...this.#delivered.read(), toolCalls: delivered.toolCalls }
  }

  get deliveredSize(): number {
    return this.#reader.deliveredSize
  }

  trailer(charged: Usage | undefined): string {
    const usage = charged ?? usageOf({})
    if (this.#matcher.isStopped) return this.#endText(usage, 'content-filter')
    const trailer = this.#reader.trailer(charged)
    const last = this.#read(encodeUtf8(trailer)) + this.#textOf(this.#matcher.releaseAll())
    if (this.#matcher.isStopped) return last + this.#endText(usage, 'content-filter')
    return this.#options.isList ? `${last}${this.#hasWritten ? ']' : trailer}` : last
  }

  lengthTrailer(charged: Usage | undefined): string {
    const last = this.#matcher.isStopped ? '' : this.#textOf(this.#matcher.releaseAll())
    return last + this.#endText(charged ?? usageOf({}), this.#matcher.isStopped ? 'content-filter' : 'length')
  }

  failure(error: ApiError): readonly TextFrame[] | undefined {
    return this.#reader.failure?.(error)
  }

  #step(step: StreamStep): StreamStep {
    if (this.#matcher.isStopped) return { forward: [], error: undefined, done: true }
    const forward: Uint8Array[] = []
    for (const piece of step.forward) {
      this.#scan(piece)
      this.#writeTo(forward, this.#matcher.release())
      if (this.#matcher.isStopped) return { forward, error: undefined, done: true }
    }
    // After an error no further text decides whether it was a word.
    if (step.error !== undefined) this.#writeTo(forward, this.#matcher.releaseAll())
    return { ...step, forward }
  }

  #read(bytes: Uint8Array): string {
    this.#scan(bytes)
    return this.#textOf(this.#matcher.release())
  }

  #scan(bytes: Uint8Array): void {
    for (const frame of this.#scanner.push(bytes)) {
      if (this.#matcher.isStopped) return
      this.#matcher.take(this.#bufferedFrame(frame))
    }
  }

  #bufferedFrame(frame: ScannedFrame): BufferedFrame {
    const { texts, filter } = this.#options
    const data = frame.data === undefined ? '' : decodeUtf8(frame.data)
    const event = data.startsWith('{') ? parseExactJson(data) : undefined
    if (!isObject(event)) return { frame, event: undefined, slots: [], isChanged: false }
    const mutable = event as MutableObject
    const completeTexts = texts.completeTexts(mutable)
    // A stop event repeats text that the filter has already read; a complete call is new to it.
    if (filter.stop && completeTexts.some((slot) => filter.automaton.isIn(slotText(slot)))) {
      return { frame, event: mutable, slots: texts.pieces(mutable), isChanged: false, holdsWord: true }
    }
    const isChanged = maskSlots(completeTexts, filter.automaton)
    return { frame, event: mutable, slots: texts.pieces(mutable), isChanged }
  }

  #writeTo(forward: Uint8Array[], frames: readonly BufferedFrame[]): void {
    for (const matcher of frames) forward.push(this.#bytesOf(matcher))
  }

  #textOf(frames: readonly BufferedFrame[]): string {
    return frames.map((matcher) => decodeUtf8(this.#bytesOf(matcher))).join('')
  }

  #bytesOf({ frame, event, slots, isChanged }: BufferedFrame): Uint8Array {
    if (event !== undefined) {
      this.#hasWritten = true
      this.#ending.note(event)
      for (const slot of slots) this.#delivered.append(slotText(slot))
    }
    const { bytes, start, end, data } = frame
    if (!isChanged || data === undefined) return bytes.subarray(start, end)
    if (!this.#options.isList)
      return encodeUtf8(sseWriter.write({ event: frame.event, data: JSON.stringify(event) }))
    // What separates it from the element before stays.
    const separator = bytes.subarray(start, data.byteOffset - bytes.byteOffset)
    return encodeUtf8(decodeUtf8(separator) + JSON.stringify(event))
  }

  #endText(usage: Usage, reason: EndReason): string {
    const frames = this.#ending.frames(usage, this.#options.includeUsage, reason)
    const writer = this.#options.isList ? new JsonArrayWriter(this.#hasWritten) : this.#writer
    return frames.map((frame) => writer.write(frame)).join('') + writer.end()
  }
}
