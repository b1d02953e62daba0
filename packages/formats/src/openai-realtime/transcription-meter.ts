import { type JsonObject, objectOf, textOf } from '../json-value.ts'
import { addUsage, noUsage, type Usage, usageOf } from '../usage.ts'
import { base64Bytes } from './audio.ts'
import { readRealtimeUsage } from './usage.ts'

const events = 'conversation.item.input_audio_transcription.'

/**
 * Adds up what writing down the caller's words uses. Upstreams count tokens or seconds with each piece that is done; what
 * they do not count is charged by its length.
 */
export class TranscriptionMeter {
  /** Of what the upstream has counted, and of what is done and was not counted. */
  usage: Usage = noUsage
  /** Whether anything was written down. */
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

  /** What was used by now, at least. */
  estimate(): Usage {
    return addUsage(this.usage, usageOfSeconds(this.#seconds))
  }

  /** Of the whole session, which is over: a piece that was broken off is in it. */
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
 * Of type `tokens` or `duration`.
 * https://platform.openai.com/docs/api-reference/realtime-server-events/conversation/item/input_audio_transcription/completed
 */
function countedUsage(raw: unknown): Usage | undefined {
  const { type, seconds } = objectOf(raw)
  if (type !== 'duration') return readRealtimeUsage(raw)
  return typeof seconds === 'number' && seconds > 0 ? usageOfSeconds(Math.min(seconds, longest)) : undefined
}

const longest = 86_400

/** A minute is a thousand tokens of input, as with recordings; begun seconds count whole. */
function usageOfSeconds(seconds: number): Usage {
  return usageOf({ inputTokens: Math.round((Math.ceil(seconds) / 60) * 1000) })
}
