import { type Delivered, DeliveredText } from '../delivered-text.ts'
import { FrameTooLargeError, type ScannedFrame } from '../framing/frame.ts'
import { SseScanner } from '../framing/sse.ts'
import { isObject, type JsonObject, parseJson } from '../json-value.ts'
import type { StreamOutcome, StreamPhase } from '../stream-meter.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../upstream-error.ts'
import type { Usage } from '../usage.ts'
import { decodeUtf8 } from '../utf8.ts'
import { type DeltaTemplate, matchTemplate, templateOf } from './delta-template.ts'
import { readEvent, type StreamEvent } from './event.ts'
import { encodeUsage } from './usage.ts'

export interface StreamOptions {
  /** The caller asked for usage: it gets the usage chunk, the upstream's or one of ours. */
  readonly includeUsage: boolean
  readonly maxFrameBytes: number
  /** What the provider's failures mean; a failure inside the stream comes as status 200. */
  readonly decodeError: (failure: UpstreamFailure) => UpstreamErrorInfo
}

/** What a chunk of upstream bytes comes to. */
export interface StreamStep {
  /** What the caller gets, in order, as received; neighbouring frames are one piece. */
  readonly forward: readonly Uint8Array[]
  /** The upstream failed inside its stream, or sends what is no stream. Nothing behind it is read. */
  readonly error: UpstreamErrorInfo | undefined
  /** `[DONE]` has come; what follows is not read. The caller's `[DONE]` is in `trailer()`. */
  readonly done: boolean
}

/** An upstream whose every event differs in more than its text is not worth another template. */
const maxMisses = 16

const blankLine = Uint8Array.of(0x0a, 0x0a)
const doneFrame = 'data: [DONE]\n\n'

/**
 * Reads a stream of chat or text completions on its way to a caller of the same dialect: frames pass as received
 * but for the usage chunk of a caller who did not ask, an answer repeated whole at the end, and `[DONE]`, which
 * waits for the settlement. Usage is taken from wherever the upstream puts it; the last one wins.
 */
export class OpenAiStreamReader {
  readonly #options: StreamOptions
  readonly #scanner: SseScanner
  readonly #delivered = new DeliveredText()
  #template: DeltaTemplate | undefined
  /** Templates in a row that the next event did not match. */
  #misses = 0
  #phase: StreamPhase = 'waiting'
  #usage: Usage | undefined
  /** How much had been delivered when the usage came. */
  #deliveredAtUsage = 0
  #usageSent = false
  /** Choices that have begun, and those of them whose end was told. */
  readonly #opened = new Set<number>()
  readonly #finished = new Set<number>()
  #done = false
  #error: UpstreamErrorInfo | undefined
  /** First event of the stream, for the id, time and model of a usage chunk of ours. */
  #firstEvent: JsonObject | undefined

  constructor(options: StreamOptions) {
    this.#options = options
    this.#scanner = new SseScanner(options.maxFrameBytes)
  }

  push(chunk: Uint8Array): StreamStep {
    return this.#take(chunk)
  }

  /** The upstream's bytes have ended. A last event without its blank line gets one, so that more may follow it. */
  end(): StreamStep {
    const last = this.#take(undefined)
    return last.forward.length === 0 ? last : { ...last, forward: [...last.forward, blankLine] }
  }

  get phase(): StreamPhase {
    return this.#phase
  }

  get outcome(): StreamOutcome {
    if (this.#phase === 'waiting') return 'empty'
    // Several upstreams never send [DONE]; an answer whose end was told is whole without it.
    const whole = this.#done || (this.#finished.size > 0 && this.#finished.size >= this.#opened.size)
    return this.#error === undefined && whole ? 'complete' : 'cut'
  }

  /** The upstream's count; `undefined` when it sent none that can be charged. */
  get usage(): Usage | undefined {
    // Text but no tokens for it is no count.
    if (this.#usage?.outputTokens === 0 && this.#delivered.size > 0) return undefined
    // Some tell at the start what they know by then: that is no count of what was delivered after it.
    return this.#delivered.size > this.#deliveredAtUsage ? undefined : this.#usage
  }

  delivered(): Delivered {
    return this.#delivered.read()
  }

  /** The closing bytes of a complete stream: a usage chunk when the caller asked and got none, then `[DONE]`. */
  trailer(charged: Usage | undefined): string {
    if (!this.#options.includeUsage || this.#usageSent || charged === undefined) return doneFrame
    const { id, created, model, object } = this.#firstEvent ?? {}
    const chunk = { id, object, created, model, choices: [], usage: encodeUsage(charged) }
    return `data: ${JSON.stringify(chunk)}\n\n${doneFrame}`
  }

  /** @param chunk `undefined` when the bytes have ended */
  #take(chunk: Uint8Array | undefined): StreamStep {
    const forward: Uint8Array[] = []
    if (this.#done || this.#error !== undefined) return { forward, error: this.#error, done: this.#done }
    try {
      const frames = chunk === undefined ? this.#scanner.end() : this.#scanner.push(chunk)
      this.#readFrames(frames, chunk === undefined, forward)
    } catch (error) {
      if (!(error instanceof FrameTooLargeError)) throw error
      this.#error = {
        kind: 'upstream_bug',
        status: 502,
        message: error.message,
        type: 'upstream_error',
        code: 'frame_too_large',
        param: null,
      }
    }
    return { forward, error: this.#error, done: this.#done }
  }

  /** Collects what is forwarded; frames that lie side by side in one buffer become one piece. */
  #readFrames(frames: readonly ScannedFrame[], ended: boolean, forward: Uint8Array[]): void {
    let first: ScannedFrame | undefined
    let end = 0
    for (const frame of frames) {
      const verdict = this.#read(frame, ended)
      if (verdict === 'stop') break
      const joins = first?.bytes === frame.bytes && end === frame.start
      if (verdict === 'swallow' || !joins) {
        if (first !== undefined) forward.push(pieceOf(first, end))
        first = verdict === 'forward' ? frame : undefined
      }
      end = frame.end
    }
    if (first !== undefined) forward.push(pieceOf(first, end))
  }

  /** Whether the frame goes to the caller; `stop` ends the reading. */
  #read(frame: ScannedFrame, ended: boolean): Verdict {
    if (frame.data === undefined || frame.data.length === 0) return 'forward'
    const json = decodeUtf8(frame.data)
    const text = this.#template === undefined ? undefined : matchTemplate(this.#template, json)
    if (text !== undefined) {
      this.#misses = 0
      this.#delivered.append(text)
      return 'forward'
    }
    if (json.trim() === '[DONE]') {
      this.#done = true
      return 'stop'
    }
    const event = parseJson(json)
    // Half an event, where the bytes ended: the outcome tells whether anything is missing.
    if (event === undefined && ended) return 'swallow'
    if (!isObject(event) || frame.event === 'error') return this.#fail(json)
    return this.#readEvent(event, json)
  }

  #readEvent(event: JsonObject, json: string): Verdict {
    const facts = readEvent(event, this.#delivered)
    if (facts.failed) return this.#fail(json)
    this.#firstEvent ??= event
    if (this.#template !== undefined) this.#misses++
    this.#template = this.#misses < maxMisses ? templateOf(event, json) : undefined
    if (facts.usage !== undefined) {
      this.#usage = facts.usage
      this.#deliveredAtUsage = this.#delivered.size
    }
    this.#advance(facts)
    if (facts.repeats || (facts.usageOnly && !this.#options.includeUsage)) return 'swallow'
    this.#usageSent ||= facts.usage !== undefined
    return 'forward'
  }

  #advance({ choices }: StreamEvent): void {
    let delivers = false
    for (const choice of choices) {
      delivers ||= choice.delivers || choice.finishes
      if (choice.opens || choice.finishes) this.#opened.add(choice.index)
      if (choice.finishes) this.#finished.add(choice.index)
    }
    if (delivers) this.#phase = 'delivering'
    else if (this.#phase === 'waiting' && this.#opened.size > 0) this.#phase = 'opened'
  }

  #fail(body: string): Verdict {
    this.#error = this.#options.decodeError({ status: 200, headers: {}, body })
    return 'stop'
  }
}

type Verdict = 'forward' | 'swallow' | 'stop'

function pieceOf({ bytes, start }: ScannedFrame, end: number): Uint8Array {
  return start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end)
}
