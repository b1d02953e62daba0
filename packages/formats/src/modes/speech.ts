import { numberOf } from '../json/number-text.ts'
import { type JsonObject, objectOf, textOf } from '../json/value.ts'
import type { Usage } from '../usage.ts'
import { type ModeCodec, type ModeTranslation, noEvents, vendorFields } from './plain-codec.ts'

/** A call to `/v1/audio/speech`. Texts are empty when the caller did not say. */
export interface SpeechRequest {
  readonly model: string
  readonly input: string
  /** Name of a voice, the upstream's own or one of OpenAI's. */
  readonly voice: string
  /** `mp3`, `wav`; empty when the caller did not say. */
  readonly format: string
  /** 1 is the usual speed; `undefined` when the caller did not say. */
  readonly speed: number | undefined
  readonly instructions: string
  /** Fields beyond OpenAI's, as received. */
  readonly vendor: JsonObject
}

/** Speech of an upstream. */
export interface SpeechResponse {
  readonly audio: Uint8Array
  /** An audio type. */
  readonly contentType: string
  readonly usage: Usage | undefined
}

const known = ['model', 'input', 'voice', 'response_format', 'speed', 'instructions', 'stream_format']

/** The codec of an upstream whose speech has a form of its own. */
export function speechCodec(own: ModeTranslation<SpeechRequest, SpeechResponse>): ModeCodec {
  return {
    encodeRequest(body, target) {
      if (body.stream_format === 'sse') throw noEvents('stream_format')
      return own.encodeRequest(decodeSpeechRequest(body), target)
    },
    decodeResponse(response, { body }) {
      const found = own.decodeResponse(response, decodeSpeechRequest(body))
      if (found === undefined || found.audio.length === 0) return undefined
      const { audio, contentType, usage } = found
      return { usage, contentType, encode: () => audio }
    },
  }
}

/** @param body that has passed the checks of its mode */
function decodeSpeechRequest(body: JsonObject): SpeechRequest {
  const { voice, speed } = body
  return {
    model: textOf(body.model),
    input: textOf(body.input),
    voice: textOf(voice) || textOf(objectOf(voice).id),
    format: textOf(body.response_format),
    speed: numberOf(speed),
    instructions: textOf(body.instructions),
    vendor: vendorFields(body, known),
  }
}

/** Audio tokens of a minute: gpt-4o-mini-tts costs 0.015 USD a minute at 12 USD a million. https://platform.openai.com/docs/pricing */
const audioTokensPerMinute = 1250
/** Text tokens that a voice speaks in a minute: 150 words of English. */
const textTokensPerMinute = 200

/** Returns the audio tokens of a speech that nobody counted, by the tokens of its text. */
export function spokenTokens(textTokens: number): number {
  return Math.ceil((textTokens / textTokensPerMinute) * audioTokensPerMinute)
}

/** Media types of OpenAI's audio formats; `undefined` for another name. */
export function audioTypeOf(format: string): string | undefined {
  return Object.hasOwn(audioTypes, format) ? audioTypes[format] : undefined
}

const audioTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm',
}
