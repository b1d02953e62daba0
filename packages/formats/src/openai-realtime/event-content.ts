import { isObject, type JsonObject, listOf, objectOf, textOf } from '../json/value.ts'

/** Bytes that a second of audio takes. */
interface AudioRates {
  readonly input: number
  readonly output: number
}

const bytesPerSample = 2
const pcm16 = 24_000 * bytesPerSample
/** One byte a sample. */
const g711 = 8000

export const defaultRates: AudioRates = { input: pcm16, output: pcm16 }

/** Tokens of a second, by OpenAI's prices: 0.06 USD a minute at 100 USD a million in, 0.24 USD at 200 USD out. */
export const audioTokensPerSecond = { input: 100 / 0.06 / 60, output: 200 / 0.24 / 60 } as const

/** The rates after an event that sets or reports a session, in the fields of the beta or of the current API. */
export function ratesOf(session: unknown, known: AudioRates): AudioRates {
  const { input_audio_format: input, output_audio_format: output, audio } = objectOf(session)
  const { input: inputSettings, output: outputSettings } = objectOf(audio)
  return {
    input: rateOf(input ?? objectOf(inputSettings).format) ?? known.input,
    output: rateOf(output ?? objectOf(outputSettings).format) ?? known.output,
  }
}

function rateOf(format: unknown): number | undefined {
  const name = isObject(format) ? textOf(format.type) : textOf(format)
  if (/g711|pcmu|pcma/.test(name)) return g711
  if (!name.includes('pcm')) return undefined
  const rate = isObject(format) ? Number(format.rate) : Number.NaN
  return rate >= 8000 && rate <= 48_000 ? rate * bytesPerSample : pcm16
}

/** Bytes behind a text in base64. */
export function base64Bytes(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding)
}

/** Contents of an event that are counted as tokens. */
export interface EventContent {
  readonly texts: readonly string[]
  /** Audio in base64. */
  readonly audio: string
}

const nothing: EventContent = { texts: [], audio: '' }
const text = (value: unknown): EventContent => ({ texts: [textOf(value)], audio: '' })
const audio = (value: unknown): EventContent => ({ texts: [], audio: textOf(value) })

type Readers = { readonly [type in string]?: (event: JsonObject) => EventContent }

const callerEvents: Readers = {
  'session.update': ({ session }) => settings(objectOf(session)),
  'response.create': ({ response }) => settings(objectOf(response)),
  'conversation.item.create': ({ item }) => itemContent(objectOf(item)),
  'input_audio_buffer.append': (event) => audio(event.audio),
}

/** Both the names of the beta and those that the API has now. */
const upstreamEvents: Readers = {
  'response.text.delta': ({ delta }) => text(delta),
  'response.output_text.delta': ({ delta }) => text(delta),
  'response.audio_transcript.delta': ({ delta }) => text(delta),
  'response.output_audio_transcript.delta': ({ delta }) => text(delta),
  'response.function_call_arguments.delta': ({ delta }) => text(delta),
  'response.audio.delta': ({ delta }) => audio(delta),
  'response.output_audio.delta': ({ delta }) => audio(delta),
}

/** Returns what a caller says to the model. */
export function callerContent(event: JsonObject): EventContent {
  return contentBy(callerEvents, event)
}

/** Returns what the model says. */
export function upstreamContent(event: JsonObject): EventContent {
  return contentBy(upstreamEvents, event)
}

function contentBy(readers: Readers, event: JsonObject): EventContent {
  const type = textOf(event.type)
  return Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? nothing) : nothing
}

function settings({ instructions, tools }: JsonObject): EventContent {
  const named = Array.isArray(tools) && tools.length > 0 ? [JSON.stringify(tools)] : []
  return { texts: [textOf(instructions), ...named], audio: '' }
}

function itemContent(item: JsonObject): EventContent {
  const parts = listOf(item.content).filter(isObject)
  const texts = parts.flatMap((part) => [textOf(part.text), textOf(part.transcript)])
  return {
    texts: [textOf(item.arguments), textOf(item.output), ...texts],
    audio: parts.map((part) => textOf(part.audio)).join(''),
  }
}
