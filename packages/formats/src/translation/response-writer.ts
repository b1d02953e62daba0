import type { ChatCodec, EncodeContext, Frame, TextFrame } from '../canonical/codec.ts'
import type { FormatName } from '../canonical/request.ts'
import type { ChatPart } from '../canonical/stream.ts'
import type { ApiError } from '../errors/upstream-error.ts'
import { FrameTooLargeError, type ScannedFrame } from '../framing/frame.ts'
import { type FrameWriter, sseWriter } from '../framing/writer.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import type { ResponseCollector } from '../streams/collect-response.ts'
import { ForwardedFrames } from '../streams/stream-reader.ts'
import { type Usage, usageOf } from '../usage.ts'
import { CallEnds } from './call-ends.ts'
import { StreamOutline } from './stream-outline.ts'

/** A frame that was read, with what it says. */
interface ReadFrame {
  readonly frame: ScannedFrame
  /** Its event; `undefined` for noise: a comment, a blank line. */
  readonly event: Frame | undefined
  readonly parts: readonly ChatPart[]
  /** The response has reached its end: this frame, and what follows, waits for the settlement. */
  readonly closes: boolean
  /** Characters delivered so far, its own included. */
  readonly delivered: number
}

/** Writes one streamed response for its caller. */
export interface ResponseWriter {
  /** @throws FrameTooLargeError when more waits than one frame may have */
  write(read: ReadFrame): void
  /**
   * The upstream's bytes have ended.
   * @param parts what was still open
   * @param isOpenEnded the last frame came without what separates it from the next one
   */
  close(parts: readonly ChatPart[], isOpenEnded: boolean): void
  /** Returns what may go to the caller now. */
  take(): readonly Uint8Array[]
  trailer(charged: Usage | undefined): string
  /**
   * See `StreamReader.lengthTrailer`.
   * @param stops the ends of the candidates that are open
   * @param text what was delivered
   */
  lengthTrailer(stops: readonly ChatPart[], charged: Usage | undefined, text: string): string
  /** See `CallEnds.isCut`; absent where the upstream's own events pass. */
  readonly isCut?: boolean
  /** See `StreamReader.failure`. */
  failure?(error: ApiError): readonly TextFrame[] | undefined
}

/** Items that wait for the settlement. When the response continues after all, they leave ahead of what follows. */
class HeldBackEnd<Item> {
  readonly #maxBytes: number
  items: Item[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  keep(item: Item, bytes: number): void {
    this.items.push(item)
    this.#bytes += bytes
    if (this.#bytes > this.#maxBytes) throw new FrameTooLargeError(this.#maxBytes)
  }

  release(): readonly Item[] {
    if (this.items.length === 0) return this.items
    const released = this.items
    this.items = []
    this.#bytes = 0
    return released
  }
}

const blankLine = Uint8Array.of(0x0a, 0x0a)

/** Frames pass as received, neighbours as one piece. */
export class ReceivedFrames implements ResponseWriter {
  readonly #forwarded = new ForwardedFrames()
  readonly #end: HeldBackEnd<ScannedFrame>
  readonly #outline: StreamOutline
  #isOpenEnded = false

  constructor(maxBytes: number, format: FormatName) {
    this.#end = new HeldBackEnd(maxBytes)
    this.#outline = new StreamOutline(format)
  }

  write({ frame, event, parts, closes, delivered }: ReadFrame): void {
    this.#outline.note(event, parts, delivered)
    if (closes) this.#end.keep(frame, frame.end - frame.start)
    else {
      for (const retained of this.#end.release()) this.#forwarded.add(retained)
      this.#forwarded.add(frame)
    }
  }

  close(_parts: readonly ChatPart[], isOpenEnded: boolean): void {
    this.#isOpenEnded = isOpenEnded
  }

  /** Returns the pieces to send: a last frame without its blank line gets one, so that more may follow it. */
  take(): readonly Uint8Array[] {
    const pieces = this.#forwarded.take()
    return this.#isOpenEnded && pieces.length > 0 && this.#end.items.length === 0
      ? [...pieces, blankLine]
      : pieces
  }

  trailer(): string {
    const retained = this.#end.items.map(({ bytes, start, end }) => decodeUtf8(bytes.subarray(start, end)))
    return retained.length > 0 && this.#isOpenEnded ? `${retained.join('')}\n\n` : retained.join('')
  }

  lengthTrailer(stops: readonly ChatPart[], charged: Usage | undefined, text: string): string {
    if (stops.length === 0) return this.trailer()
    return this.#outline
      .ending(charged, text)
      .map((frame) => sseWriter.write(frame))
      .join('')
  }
}

/** Events pass with their payload as received, in the caller's framing. */
export class ReframedEvents implements ResponseWriter {
  readonly #writer: FrameWriter
  readonly #end: HeldBackEnd<TextFrame>
  readonly #outline: StreamOutline
  #text = ''

  constructor(writer: FrameWriter, maxBytes: number, format: FormatName) {
    this.#writer = writer
    this.#end = new HeldBackEnd(maxBytes)
    this.#outline = new StreamOutline(format)
  }

  write({ event, parts, closes, delivered }: ReadFrame): void {
    if (event === undefined) return
    this.#outline.note(event, parts, delivered)
    if (closes) this.#end.keep(event, event.data.length)
    else for (const each of [...this.#end.release(), event]) this.#text += this.#writer.write(each)
  }

  close(): void {}

  take(): readonly Uint8Array[] {
    const text = this.#text
    this.#text = ''
    return text === '' ? [] : [encodeUtf8(text)]
  }

  trailer(): string {
    return this.#end.items.map((event) => this.#writer.write(event)).join('') + this.#writer.end()
  }

  lengthTrailer(stops: readonly ChatPart[], charged: Usage | undefined, text: string): string {
    if (stops.length === 0) return this.trailer()
    const frames = this.#outline.ending(charged, text)
    return frames.map((frame) => this.#writer.write(frame)).join('') + this.#writer.end()
  }
}

/** Keeps the response for a caller that wants it in one piece. */
export class CollectedResponse implements ResponseWriter {
  readonly #collector: ResponseCollector

  constructor(collector: ResponseCollector) {
    this.#collector = collector
  }

  write({ parts }: ReadFrame): void {
    this.close(parts)
  }

  close(parts: readonly ChatPart[]): void {
    for (const part of parts) this.#collector.take(part)
  }

  take(): readonly Uint8Array[] {
    return []
  }

  trailer(): string {
    return ''
  }

  lengthTrailer(): string {
    return ''
  }
}

/** Writes the response in the caller's format. */
export class EncodedResponse<State> implements ResponseWriter {
  readonly #encoder: ChatCodec<unknown, State>['encodeStream']
  readonly #writer: FrameWriter
  readonly #state: State
  readonly #calls: CallEnds
  #text = ''
  #hasBegun = false

  constructor(codec: ChatCodec<unknown, State>, call: EncodeContext, writer: FrameWriter) {
    this.#encoder = codec.encodeStream
    this.#writer = writer
    this.#state = codec.encodeStream.start(call)
    this.#calls = new CallEnds(codec.callRules, call.stopSequences, (part) => this.#encode(part))
  }

  get isCut(): boolean {
    return this.#calls.isCut
  }

  write({ parts }: ReadFrame): void {
    this.close(this.#hasBegun ? parts : this.#beginning(parts))
  }

  /** Returns the parts that begin the response: a count in the first event goes ahead, for encoders that begin with a count. */
  #beginning(parts: readonly ChatPart[]): readonly ChatPart[] {
    this.#hasBegun = parts.length > 0
    const counts = parts.filter(({ type }) => type === 'usage')
    return counts.length === 0 ? parts : [...counts, ...parts.filter(({ type }) => type !== 'usage')]
  }

  close(parts: readonly ChatPart[]): void {
    for (const part of parts) this.#calls.take(part)
  }

  #encode(part: ChatPart): void {
    for (const frame of this.#encoder.step(this.#state, part)) this.#text += this.#writer.write(frame, true)
  }

  take(): readonly Uint8Array[] {
    const text = this.#text
    this.#text = ''
    return text === '' ? [] : [encodeUtf8(text)]
  }

  trailer(charged: Usage | undefined): string {
    let text = ''
    for (const frame of this.#encoder.finish(this.#state, charged ?? usageOf({})))
      text += this.#writer.write(frame)
    return text + this.#writer.end()
  }

  lengthTrailer(stops: readonly ChatPart[], charged: Usage | undefined): string {
    this.close(stops)
    const last = this.#text
    this.#text = ''
    return last + this.trailer(charged)
  }

  failure(error: ApiError): readonly TextFrame[] | undefined {
    return this.#encoder.fail?.(this.#state, error)
  }
}
