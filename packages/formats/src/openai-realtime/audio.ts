import { isObject, objectOf, textOf } from '../json-value.ts'

/** Bytes that a second of audio takes. */
export interface AudioRates {
  readonly input: number
  readonly output: number
}

const bytesPerSample = 2
const pcm16 = 24_000 * bytesPerSample
/** One byte a sample. */
const g711 = 8000

export const usualRates: AudioRates = { input: pcm16, output: pcm16 }

/** Tokens of a second, by OpenAI's prices: 0.06 USD a minute at 100 USD a million in, 0.24 USD at 200 USD out. */
export const audioTokensPerSecond = { input: 100 / 0.06 / 60, output: 200 / 0.24 / 60 } as const

/** The rates after a session was set or told, in the words of the beta or of the API as it is now. */
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
