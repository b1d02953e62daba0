import { isObject, type JsonObject, objectOf, textOf } from '../json/value.ts'
import { addUsage, countOf as count, noUsage, type Usage, usageOf } from '../usage.ts'
import { base64Bytes } from './event-content.ts'

/**
 * The usage of a `response.done`; `undefined` without one. Cached tokens, of whatever kind, are inside their kind:
 * what was cached is taken out of it where the upstream says which it was, and out of the text where it does not.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/response/done
 */
export function readRealtimeUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined
  const input = count(raw.input_tokens)
  const output = count(raw.output_tokens)
  if (input === undefined || output === undefined || input + output === 0) return undefined
  const inputs = objectOf(raw.input_token_details ?? raw.input_tokens_details)
  const outputs = objectOf(raw.output_token_details ?? raw.output_tokens_details)
  const cachedKinds = objectOf(inputs.cached_tokens_details)
  const cached = Math.min(input, count(inputs.cached_tokens) ?? 0)
  const fresh = (kind: string) => Math.max(0, (count(inputs[kind]) ?? 0) - (count(cachedKinds[kind]) ?? 0))
  return usageOf({
    inputTokens: input - cached,
    cacheReadTokens: cached,
    audioInputTokens: fresh('audio_tokens'),
    imageInputTokens: fresh('image_tokens'),
    outputTokens: output,
    audioOutputTokens: count(outputs.audio_tokens) ?? 0,
  })
}

const events = 'conversation.item.input_audio_transcription.'

/**
 * Adds up what writing down the caller's words uses. Upstreams count tokens or seconds with each piece that is done; what
 * they do not count is charged by its length.
 */
export class TranscriptionMeter {
  /** Usage that the upstream has counted, with that of what is done and was not counted. */
  usage: Usage = noUsage
  /** True when anything was written down. */
  hasResponded = false
  /** Seconds that the caller said since a piece was done last. */
  #seconds = 0
  #isStarted = false
  #isEstimated = false

  /** An event of the caller. @param bytesPerSecond of its audio */
  sent({ type, audio }: JsonObject, bytesPerSecond: number): void {
    if (type === 'input_audio_buffer.append') this.#seconds += base64Bytes(textOf(audio)) / bytesPerSecond
    if (type === 'input_audio_buffer.clear') this.#seconds = 0
  }

  /** An event of the upstream. */
  received({ type, usage }: JsonObject): void {
    if (type === `${events}delta`) this.#isStarted = true
    if (type === `${events}completed`) this.#done(usage)
    this.hasResponded ||= this.#isStarted
  }

  /** Returns what was used by now, at least. */
  estimate(): Usage {
    return addUsage(this.usage, usageOfSeconds(this.#seconds))
  }

  /** Usage of the ended session, a piece that broke off included. */
  total(): { readonly usage: Usage; readonly estimated: boolean } {
    if (this.#isStarted) this.#done(undefined)
    return { usage: this.usage, estimated: this.#isEstimated }
  }

  #done(raw: unknown): void {
    const counted = countedUsage(raw)
    this.hasResponded = true
    this.#isEstimated ||= counted === undefined
    this.usage = addUsage(this.usage, counted ?? usageOfSeconds(this.#seconds))
    this.#seconds = 0
    this.#isStarted = false
  }
}

/**
 * Reads usage of type `tokens` or `duration`.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/conversation/item/input_audio_transcription/completed
 */
function countedUsage(raw: unknown): Usage | undefined {
  const { type, seconds } = objectOf(raw)
  if (type !== 'duration') return readRealtimeUsage(raw)
  return typeof seconds === 'number' && seconds > 0 ? usageOfSeconds(Math.min(seconds, maxLength)) : undefined
}

const maxLength = 86_400

/**
 * Returns the usage of seconds: a minute counts as a thousand input tokens, as with recordings; a started second counts in full.
 */
function usageOfSeconds(seconds: number): Usage {
  return usageOf({ inputTokens: Math.round((Math.ceil(seconds) / 60) * 1000) })
}
