import type { ToolCalls } from '../../canonical/charged-tools.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../../errors/upstream-error.ts'
import type { ScannedFrame } from '../../framing/frame.ts'
import { SseScanner } from '../../framing/sse.ts'
import { parseExactJson } from '../../json/exact-json.ts'
import { decodeUtf8, encodeUtf8 } from '../../json/utf8.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson } from '../../json/value.ts'
import { OpenCalls } from '../../streams/open-calls.ts'
import type { Delivered } from '../../streams/stream-meter.ts'
import { StreamMeter, type StreamOutcome, type StreamPhase } from '../../streams/stream-meter.ts'
import {
  ForwardedFrames,
  frameFailure,
  type StreamReader,
  type StreamStep,
} from '../../streams/stream-reader.ts'
import type { Usage } from '../../usage.ts'
import { isEndMark, isFailedChunk, isRepeat, maxMisses, newChunkState, readChunk } from './decode-stream.ts'
import { type DeltaTemplate, matchTemplate, templateOf } from './delta-template.ts'
import { ChunkStyler, type ResponseStyle } from './response-style.ts'
import { encodeUsage, readUsage } from './usage.ts'

/** Options of a stream that passes to a caller of the same format. */
export interface StreamOptions {
  /** The caller asked for usage: it gets the usage chunk, the upstream's or one of ours. */
  readonly includeUsage: boolean
  readonly maxFrameBytes: number
  /** Reads the provider's failures; a failure inside the stream comes as status 200. */
  readonly decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo
  /** Rewrites an event that the upstream writes otherwise than OpenAI does; the same object where nothing is. */
  readonly normalizeResponse?: (event: JsonObject) => JsonObject
  /** Absent for chunks as they were received. */
  readonly form?: ResponseStyle
}

const blankLine = Uint8Array.of(0x0a, 0x0a)
const doneFrame = 'data: [DONE]\n\n'

/**
 * Reads a stream of chat or text completions on its way to a caller of the same format. Frames pass as received, except a
 * usage chunk that the caller did not ask for, a repetition of the complete response at the end, and `[DONE]`, which waits
 * for the settlement. Finds usage wherever the upstream puts it; the last one wins.
 */
export class OpenAiStreamReader implements StreamReader {
  readonly #options: StreamOptions
  readonly #scanner: SseScanner
  readonly #meter = new StreamMeter()
  readonly #openCalls = new OpenCalls()
  readonly #forwarded = new ForwardedFrames()
  readonly #state = newChunkState()
  readonly #form: ChunkStyler | undefined
  #template: DeltaTemplate | undefined
  /** Templates in a row that the next event did not match. */
  #misses = 0
  #usageSent = false
  /** First event of the stream, for the id, time and model of a usage chunk of ours. */
  #firstEvent: JsonObject | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#scanner = new SseScanner(options.maxFrameBytes)
    this.#form = options.form === undefined ? undefined : new ChunkStyler(options.form)
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#take(chunk)
  }

  /** Ends the stream: a last event without its blank line gets one, so that more may follow it. */
  end(): StreamStep {
    const last = this.#take(undefined)
    return last.forward.length === 0 ? last : { ...last, forward: [...last.forward, blankLine] }
  }

  get phase(): StreamPhase {
    return this.#meter.phase
  }

  get outcome(): StreamOutcome {
    const { outcome } = this.#meter
    return outcome === 'complete' && this.#openCalls.isCut ? 'cut' : outcome
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

  delivered(): Delivered {
    return this.#meter.delivered()
  }

  get deliveredSize(): number {
    return this.#meter.deliveredSize
  }

  /** A usage chunk when the caller asked and got none, then `[DONE]`. */
  trailer(charged: Usage | undefined): string {
    const closing = this.#form?.end().map(frameOf).join('') ?? ''
    return closing + this.#usageFrame(charged) + doneFrame
  }

  lengthTrailer(charged: Usage | undefined): string {
    const { id, created, model, object, choices } = this.#firstEvent ?? {}
    const rest = listOf(choices).some((choice) => 'text' in objectOf(choice)) ? { text: '' } : { delta: {} }
    const last = { ...rest, logprobs: null, finish_reason: 'length' }
    const ends = this.#meter.open.map((index) =>
      frameOf({ id, object, created, model, choices: [{ index, ...last }] }),
    )
    const closing = this.#form?.end().map(frameOf).join('') ?? ''
    return closing + ends.join('') + this.#usageFrame(charged) + doneFrame
  }

  /** Events that pass as received are only looked at. */
  get #rewrites(): boolean {
    return this.#form !== undefined || this.#options.normalizeResponse !== undefined
  }

  #usageFrame(charged: Usage | undefined): string {
    if (!this.#options.includeUsage || this.#usageSent || charged === undefined) return ''
    const { id, created, model, object } = this.#firstEvent ?? {}
    const chunk = { id, object, created, model, choices: [], usage: encodeUsage(charged) }
    return frameOf(chunk)
  }

  /** @param chunk `undefined` when the bytes have ended */
  #take(chunk: Uint8Array | undefined): StreamStep {
    const meter = this.#meter
    if (meter.isEnded || meter.error !== undefined)
      return { forward: [], error: meter.error, done: meter.isEnded }
    try {
      const frames = chunk === undefined ? this.#scanner.end() : this.#scanner.push(chunk)
      for (const frame of frames) {
        const verdict = this.#read(frame, chunk === undefined)
        if (verdict === 'stop') break
        if (verdict === 'forward') this.#forwarded.add(frame)
      }
    } catch (error) {
      meter.take({ type: 'error', error: frameFailure(error) })
    }
    return { forward: this.#forwarded.take(), error: meter.error, done: meter.isEnded }
  }

  /** Returns whether the frame goes to the caller; `stop` ends the reading. */
  #read(frame: ScannedFrame, ended: boolean): Verdict {
    if (frame.data === undefined || frame.data.length === 0) return 'forward'
    const json = decodeUtf8(frame.data)
    const text = this.#template === undefined ? undefined : matchTemplate(this.#template, json)
    if (text !== undefined) {
      this.#misses = 0
      this.#meter.takeText(text)
      return 'forward'
    }
    if (isEndMark(json)) {
      this.#meter.take({ type: 'end' })
      return 'stop'
    }
    const event = this.#rewrites ? parseExactJson(json) : parseJson(json)
    // Half an event, where the bytes ended: the outcome shows whether anything is missing.
    if (event === undefined && ended) return 'swallow'
    if (!isObject(event) || frame.event === 'error' || isFailedChunk(event)) return this.#fail(json)
    return this.#readEvent(event, json)
  }

  #readEvent(received: JsonObject, json: string): Verdict {
    const event = this.#options.normalizeResponse?.(received) ?? received
    if (isPromptVerdict(event)) return this.#passesVerdict ? 'forward' : 'swallow'
    const repeats = isRepeat(this.#state, event)
    let hasUsage = false
    for (const part of readChunk(this.#state, event)) {
      hasUsage ||= part.type === 'usage'
      this.#meter.take(part)
      this.#openCalls.take(part)
    }
    this.#firstEvent ??= event
    if (this.#template !== undefined) this.#misses++
    // A chunk that the reader rewrites has to be parsed.
    const passes = this.#form === undefined && event === received
    this.#template = passes && this.#misses < maxMisses ? templateOf(event, json) : undefined
    if (repeats || (isUsageOnly(event) && !this.#options.includeUsage)) return 'swallow'
    // Elsewhere than at the top no client of this format finds it.
    this.#usageSent ||= hasUsage && readUsage(event.usage) !== undefined
    if (passes) return 'forward'
    const chunks = this.#form?.chunks(event) ?? [event]
    this.#forwarded.addBytes(encodeUtf8(chunks.map(frameOf).join('')))
    return 'swallow'
  }

  /** Callers that asked for usage read events without choices; of other formats' fields, some want none. */
  get #passesVerdict(): boolean {
    return this.#options.includeUsage && this.#form === undefined
  }

  #fail(body: string): Verdict {
    this.#meter.take({ type: 'error', error: this.#options.decodeError({ status: 200, headers: {}, body }) })
    return 'stop'
  }
}

function frameOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}

type Verdict = 'forward' | 'swallow' | 'stop'

/**
 * Azure begins with what its filters think of the prompt, in an event without choices, id and time. Clients that look
 * into the first choice of every event fail on it; those that asked for usage get such an event anyway.
 * https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming (2026-11-28)
 */
function isPromptVerdict({ choices, usage, prompt_filter_results }: JsonObject): boolean {
  return Array.isArray(prompt_filter_results) && listOf(choices).length === 0 && !isObject(usage)
}

/** Usage and no choices: the chunk that only callers get who asked for it. */
function isUsageOnly({ choices, usage }: JsonObject): boolean {
  return isObject(usage) && listOf(choices).length === 0
}
