import type { ToolCalls } from '../canonical/charged-tools.ts'
import type { ChatCodec, EncodeContext, Frame, TextFrame, UpstreamCodec } from '../canonical/codec.ts'
import type { FormatName } from '../canonical/request.ts'
import type { ChatPart } from '../canonical/stream.ts'
import { clearerError, decodeErrorBody } from '../errors/decode-error.ts'
import type { ApiError, UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import type { FrameScanner, ScannedFrame } from '../framing/frame.ts'
import { type FrameWriter, sseWriter } from '../framing/writer.ts'
import { decodeUtf8 } from '../json/utf8.ts'
import { parseJson } from '../json/value.ts'
import { PartUnwrapper } from '../schemas/unwrap-parts.ts'
import type { ResponseCollector } from '../streams/collect-response.ts'
import { OpenCalls } from '../streams/open-calls.ts'
import { type Delivered, StreamMeter, type StreamOutcome, type StreamPhase } from '../streams/stream-meter.ts'
import { frameFailure, type StreamReader, type StreamStep } from '../streams/stream-reader.ts'
import type { Usage } from '../usage.ts'
import {
  CollectedResponse,
  EncodedResponse,
  ReceivedFrames,
  ReframedEvents,
  type ResponseWriter,
} from './response-writer.ts'

/**
 * `as-received`: the upstream's own bytes, for a caller of its format and framing. `as-events`: its own events in the
 * caller's framing, where the upstream frames or wraps them otherwise. A codec: the response translated into its format. A
 * collector: nothing is forwarded, and the response is buffered in it.
 */
export type ResponseEncoding =
  | 'as-received'
  | 'as-events'
  | { readonly codec: ChatCodec; readonly call: EncodeContext }
  | { readonly collector: ResponseCollector }

/** Parts that read and write a stream. */
export interface ResponseStreamOptions {
  /** The upstream's framing; a new one for every stream. */
  readonly scanner: FrameScanner
  /**
   * Unwraps an event; `undefined` for a wrapper without one.
   * @throws MalformedFrameError
   */
  readonly unwrap?: (event: Frame) => Frame | undefined
  /** The upstream's format. */
  readonly decoder: UpstreamCodec
  readonly encode: ResponseEncoding
  /** The caller's framing, unless its bytes pass as received; server-sent events when not said. */
  readonly writer?: FrameWriter
  /** Bound of what waits for the settlement; frames are bounded by their scanner. */
  readonly maxFrameBytes: number
  /** Reader of the provider's failures, where it knows more than the format; one inside the stream comes as status 200. */
  readonly decodeError?: (failure: UpstreamFailure) => UpstreamErrorInfo
}

/** Formats without an end mark: a candidate's stop reason is the last part of its stream. */
const withoutEndMark: ReadonlySet<FormatName> = new Set(['gemini'])

/**
 * Reads a streamed response of any format on its way to a caller of the same one or another. Usage, progress and outcome
 * are those of `StreamMeter`; the end waits for the settlement.
 */
export class ResponseStream implements StreamReader {
  readonly #options: ResponseStreamOptions
  readonly #writer: ResponseWriter
  readonly #meter = new StreamMeter()
  /** Translated requests alone wrap values. */
  readonly #unwrapper: PartUnwrapper | undefined
  /** Open calls of events that pass unchanged: the writer of translated ones judges calls itself. */
  readonly #openCalls: OpenCalls | undefined
  readonly #state: unknown
  readonly #hasEndMark: boolean

  constructor(options: ResponseStreamOptions) {
    this.#options = options
    this.#writer = writerFor(options)
    const passes = typeof options.encode === 'string'
    this.#unwrapper = passes ? undefined : new PartUnwrapper()
    this.#openCalls = passes ? new OpenCalls() : undefined
    this.#state = options.decoder.decodeStream.start(passes)
    this.#hasEndMark = !withoutEndMark.has(options.decoder.format)
  }

  push(chunk: Uint8Array): StreamStep {
    if (!this.#isOver) this.#guard(() => this.#readFrames(this.#options.scanner.push(chunk), false))
    return this.#step()
  }

  end(): StreamStep {
    if (!this.#isOver) this.#guard(() => this.#readEnd())
    return this.#step()
  }

  get phase(): StreamPhase {
    return this.#meter.phase
  }

  get outcome(): StreamOutcome {
    const { outcome } = this.#meter
    if (outcome !== 'complete') return outcome
    return this.#writer.isCut === true || this.#openCalls?.isCut === true ? 'cut' : outcome
  }

  get usage(): Usage | undefined {
    return this.#meter.usage
  }

  get latestUsage(): Usage | undefined {
    return this.#meter.latestUsage
  }

  get toolCalls(): ToolCalls | undefined {
    return this.#meter.toolCalls
  }

  /** Returns the names that were left out; a caller of the upstream's format gets all of it. */
  get leftOut(): readonly string[] | undefined {
    return typeof this.#options.encode === 'string' ? undefined : this.#meter.leftOut
  }

  delivered(): Delivered {
    return this.#meter.delivered()
  }

  get deliveredSize(): number {
    return this.#meter.deliveredSize
  }

  trailer(charged: Usage | undefined): string {
    return this.#writer.trailer(charged)
  }

  lengthTrailer(charged: Usage | undefined): string {
    const { open: candidates } = this.#meter
    const stops = candidates.map(
      (candidate) => ({ type: 'stop', candidate, stop: { reason: 'length' } }) as const,
    )
    return this.#writer.lengthTrailer(this.#unwrapped(stops), charged, this.delivered().text)
  }

  failure(error: ApiError): readonly TextFrame[] | undefined {
    return this.#writer.failure?.(error)
  }

  get #isOver(): boolean {
    return this.#meter.isEnded || this.#meter.error !== undefined
  }

  #step(): StreamStep {
    return { forward: this.#writer.take(), error: this.#meter.error, done: this.#meter.isEnded }
  }

  /** Returns what the scanner cannot read is a fault of the upstream. */
  #guard(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#fail(frameFailure(error))
    }
  }

  #readFrames(frames: readonly ScannedFrame[], ended: boolean): void {
    for (const frame of frames) {
      this.#read(frame, ended)
      if (this.#isOver) return
    }
  }

  #readEnd(): void {
    const last = this.#options.scanner.end()
    this.#readFrames(last, true)
    if (this.#meter.error !== undefined) return
    const parts = this.#options.decoder.decodeStream.finish(this.#state)
    this.#measure(parts)
    this.#writer.close(this.#unwrapped(parts), last.length > 0)
  }

  #read(frame: ScannedFrame, ended: boolean): void {
    const data = frame.data === undefined ? '' : decodeUtf8(frame.data)
    if (frame.fault === true) this.#fail(this.#faultOf(frame.event, data))
    else if (data === '') this.#write(frame, undefined, [])
    else this.#readEvent(frame, { event: frame.event, data }, ended)
  }

  #readEvent(frame: ScannedFrame, received: Frame, ended: boolean): void {
    // Half an event, where the bytes ended: the outcome shows whether anything is missing.
    if (ended && isHalf(received.data)) return
    const { unwrap, decoder } = this.#options
    const event = unwrap === undefined ? received : unwrap(received)
    const parts = event === undefined ? [] : decoder.decodeStream.step(this.#state, event)
    const failure = failureIn(parts)
    if (failure !== undefined) this.#fail(this.#errorOf(event?.data ?? '', failure))
    else {
      // The upstream's own parts are measured: one that waits for its wrapper to close came before what follows it.
      this.#measure(parts)
      this.#write(frame, event, this.#unwrapped(parts))
    }
  }

  #measure(parts: readonly ChatPart[]): void {
    for (const part of parts) {
      this.#meter.take(part)
      this.#openCalls?.take(part)
    }
  }

  #unwrapped(parts: readonly ChatPart[]): readonly ChatPart[] {
    return this.#unwrapper?.read(parts) ?? parts
  }

  #write(frame: ScannedFrame, event: Frame | undefined, parts: readonly ChatPart[]): void {
    const closes = this.#hasEndMark ? this.#meter.isEnded : this.#meter.isStopped
    this.#writer.write({ frame, event, parts, closes, delivered: this.#meter.deliveredSize })
  }

  #errorOf(body: string, byFormat: UpstreamErrorInfo): UpstreamErrorInfo {
    return clearerError(this.#options.decodeError?.({ status: 200, headers: {}, body }), byFormat, body)
  }

  /** The framing names the failure, as AWS does in a header of buffered responses. */
  #faultOf(name: string, body: string): UpstreamErrorInfo {
    const decode = this.#options.decodeError ?? decodeErrorBody
    return decode({ status: 200, headers: { 'x-amzn-errortype': name }, body })
  }

  #fail(error: UpstreamErrorInfo): void {
    this.#meter.take({ type: 'error', error })
  }
}

function writerFor({
  encode,
  decoder,
  maxFrameBytes,
  writer = sseWriter,
}: ResponseStreamOptions): ResponseWriter {
  if (encode === 'as-received') return new ReceivedFrames(maxFrameBytes, decoder.format)
  if (encode === 'as-events') return new ReframedEvents(writer, maxFrameBytes, decoder.format)
  if ('collector' in encode) return new CollectedResponse(encode.collector)
  return new EncodedResponse(encode.codec, encode.call, writer)
}

function failureIn(parts: readonly ChatPart[]): UpstreamErrorInfo | undefined {
  for (const part of parts) if (part.type === 'error') return part.error
  return undefined
}

function isHalf(data: string): boolean {
  return parseJson(data) === undefined && data.trim() !== '[DONE]'
}
