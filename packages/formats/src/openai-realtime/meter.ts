import { numberOf } from '../json/number-text.ts'
import { utf8Length } from '../json/utf8.ts'
import { isObject, type JsonObject, objectOf, parseJson, textOf } from '../json/value.ts'
import { costsOf } from '../openai-responses/response/usage.ts'
import { type Delivered, DeliveredText } from '../streams/stream-meter.ts'
import { addUsage, noUsage, type Usage, usageOf, withCosts } from '../usage.ts'
import {
  audioTokensPerSecond,
  base64Bytes,
  callerContent,
  defaultRates,
  type EventContent,
  ratesOf,
  upstreamContent,
} from './event-content.ts'
import { realtimeErrorIn } from './session-events.ts'
import { readRealtimeUsage, TranscriptionMeter } from './transcription-meter.ts'

/** Content of one side: its text, and its audio in tokens. */
export interface MeteredSide extends Delivered {
  readonly audioTokens: number
}

/** Upper estimate of a text's tokens: hardly one has fewer bytes. */
const bytesPerToken = 3

/** Adds up what one side says. */
class SideMeter {
  #text = new DeliveredText()
  #bytes = 0
  #seconds = 0
  #overflowBytes = 0

  get isSilent(): boolean {
    return this.#bytes === 0 && this.#seconds === 0
  }

  add({ texts, audio }: EventContent, bytesPerSecond: number): void {
    for (const text of texts) {
      this.#text.append(text)
      this.#bytes += utf8Length(text)
    }
    this.#seconds += base64Bytes(audio) / bytesPerSecond
  }

  /** Estimates it as one side of a usage, at once. */
  estimate(tokensPerSecond: number) {
    const audio = Math.ceil(this.#seconds * tokensPerSecond)
    return { audio, all: audio + Math.ceil(this.#bytes / bytesPerToken) }
  }

  read(tokensPerSecond: number): MeteredSide {
    const { text, overflowBytes, toolCalls } = this.#text.read()
    const audioTokens = Math.round(this.#seconds * tokensPerSecond)
    return { text, toolCalls, overflowBytes: overflowBytes + this.#overflowBytes, audioTokens }
  }

  absorb(other: SideMeter): void {
    const { text, overflowBytes } = other.#text.read()
    this.#text.append(text)
    this.#overflowBytes += overflowBytes + other.#overflowBytes
    this.#bytes += other.#bytes
    this.#seconds += other.#seconds
  }
}

/** Both sides of what no upstream has counted. */
class ConversationMeter {
  readonly input = new SideMeter()
  readonly output = new SideMeter()

  absorb({ input, output }: ConversationMeter): void {
    this.input.absorb(input)
    this.output.absorb(output)
  }

  estimate(): Usage {
    const input = this.input.estimate(audioTokensPerSecond.input)
    const output = this.output.estimate(audioTokensPerSecond.output)
    return usageOf({
      inputTokens: input.all,
      audioInputTokens: input.audio,
      outputTokens: output.all,
      audioOutputTokens: output.audio,
    })
  }
}

/** Contents of both sides that no upstream counted. */
export interface Uncounted {
  readonly input: MeteredSide
  readonly output: MeteredSide
}

/**
 * Follows the events of one session of the Realtime API and adds up its usage: the upstream's count of each response, and,
 * where it sends none, an estimate of the content since the last counted one. Ignores messages that are not events.
 */
export class RealtimeMeter {
  /** The limit on the output of each response, as the session has it; `undefined` without one. */
  maxOutputTokens: number | undefined
  /** Usage of the responses that the upstream counted. */
  usage: Usage = noUsage
  /** True when a response was made, or begun. */
  hasResponded = false
  /** True when a response was asked for, or has begun, and has not ended. */
  isResponding = false
  /** Meter of writing down what the caller says, which is the work of another model. */
  readonly transcription = new TranscriptionMeter()
  readonly #isBelieved: IsBelieved
  /** Limit of the response that is under way, where its request sets one of its own. */
  #responseLimit: number | undefined
  #rates = defaultRates
  #pending = new ConversationMeter()
  /** Responses that the upstream did not count. */
  #uncounted: ConversationMeter | undefined

  /** @param isBelieved judges the count of a response; one that is not believed counts as none */
  constructor(isBelieved: IsBelieved = () => true) {
    this.#isBelieved = isBelieved
  }

  /** A message of the caller. */
  sent(message: string): void {
    const event = parseJson(message)
    if (!isObject(event)) return
    if (settings.has(textOf(event.type))) this.#set(event.session)
    this.transcription.sent(event, this.#rates.input)
    if (event.type === 'response.create') {
      this.isResponding = true
      this.#responseLimit = limitIn(event.response)
    }
    this.#pending.input.add(callerContent(event), this.#rates.input)
  }

  /** A message of the upstream. */
  received(message: string): ReceivedEvent {
    const event = parseJson(message)
    if (!isObject(event)) return 'other'
    const { type } = event
    this.transcription.received(event)
    this.isResponding = type === 'response.created' || (this.isResponding && !endings.has(textOf(type)))
    if (settings.has(textOf(type))) this.#set(event.session)
    else if (type === 'response.done') this.#responded(objectOf(event.response))
    else this.#pending.output.add(upstreamContent(event), this.#rates.output)
    this.hasResponded ||= !this.#pending.output.isSilent
    return realtimeErrorIn(event) === undefined ? 'other' : 'error'
  }

  /** Returns what the session has used by now, at least: what was not counted is estimated upwards, at once. */
  estimate(): Usage {
    const sum = addUsage(this.usage, this.#pending.estimate())
    return this.#uncounted === undefined ? sum : addUsage(sum, this.#uncounted.estimate())
  }

  /**
   * Returns the delivered output that no upstream counted; `undefined` when it counted all responses. Called when the session is over:
   * a response that was broken off is among them.
   */
  uncounted(): Uncounted | undefined {
    if (!this.#pending.output.isSilent) this.#keepUncounted()
    if (this.#uncounted === undefined) return undefined
    const { input, output } = this.#uncounted
    return {
      input: input.read(audioTokensPerSecond.input),
      output: output.read(audioTokensPerSecond.output),
    }
  }

  #set(session: unknown): void {
    this.#rates = ratesOf(session, this.#rates)
    if (limitNames.some((name) => objectOf(session)[name] !== undefined))
      this.maxOutputTokens = limitIn(session)
  }

  #responded(response: JsonObject): void {
    const reported = readRealtimeUsage(response.usage)
    const limit = this.#responseLimit ?? this.maxOutputTokens
    this.#responseLimit = undefined
    const usage = reported !== undefined && this.#isBelieved(reported, limit) ? reported : undefined
    // A response that failed has neither: what was said waits for the next one.
    if (usage === undefined && this.#pending.output.isSilent) return
    this.hasResponded = true
    if (usage === undefined) {
      this.#keepUncounted()
      return
    }
    this.usage = addUsage(this.usage, withCosts(usage, costsOf(response)))
    this.#pending = new ConversationMeter()
  }

  #keepUncounted(): void {
    if (this.#uncounted === undefined) this.#uncounted = this.#pending
    else this.#uncounted.absorb(this.#pending)
    this.#pending = new ConversationMeter()
  }
}

/** @param maxOutputTokens the limit on the response; `undefined` without one */
type IsBelieved = (usage: Usage, maxOutputTokens: number | undefined) => boolean

/** The name of today, and that of the beta. */
const limitNames = ['max_output_tokens', 'max_response_output_tokens'] as const

/** `inf` is no limit. */
function limitIn(holder: unknown): number | undefined {
  const members = objectOf(holder)
  return limitNames.map((name) => numberOf(members[name])).find((limit) => limit !== undefined && limit > 0)
}

/** Events of either side that set or report a session's audio formats. */
const settings: ReadonlySet<string> = new Set(
  ['session', 'transcription_session'].flatMap((of) =>
    ['created', 'update', 'updated'].map((done) => `${of}.${done}`),
  ),
)

/** Events after which a response is not under way, or was refused. */
const endings: ReadonlySet<string> = new Set(['response.done', 'error'])

/** Errors of an upstream may name what callers must not know. */
export type ReceivedEvent = 'error' | 'other'
