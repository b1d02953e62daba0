import { audioTypeOf, isObject, objectOf, RequestFault, speechCodec, textOf } from '@tollgate/formats'
import { isFailed } from './images.ts'

const formats = ['mp3', 'wav', 'flac', 'pcm']
/** Of the vendor's own, for a caller who named one of OpenAI's. */
const defaultVoice = 'male-qn-qingse'
const openAiVoices = /^(alloy|ash|ballad|coral|echo|fable|nova|onyx|sage|shimmer|verse|marin|cedar)$/

/** https://platform.minimaxi.com/document/T2A%20V2 */
export const minimaxSpeech = speechCodec({
  encodeRequest({ input, voice, format, speed, instructions, vendor }, { model }) {
    if (format !== '' && !formats.includes(format)) throw unknownFormat(format)
    const voiceId = voice === '' || openAiVoices.test(voice) ? defaultVoice : voice
    return {
      body: {
        ...vendor,
        model,
        text: input,
        stream: false,
        output_format: 'hex',
        voice_setting: { voice_id: voiceId, speed: within(speed ?? 1), ...objectOf(vendor.voice_setting) },
        audio_setting: { format: format || 'mp3', ...objectOf(vendor.audio_setting) },
      },
      dropped: [
        ...(instructions === '' ? [] : ['instructions']),
        ...(voice !== '' && voiceId !== voice ? ['voice'] : []),
      ],
    }
  },
  decodeResponse({ json }, { format }) {
    if (!isObject(json) || isFailed(json)) return undefined
    const audio = bytesOfHex(textOf(objectOf(json.data).audio))
    const made = textOf(objectOf(json.extra_info).audio_format) || format || 'mp3'
    return audio && { audio, contentType: audioTypeOf(made) ?? 'audio/mpeg', usage: undefined }
  },
})

function unknownFormat(format: string): RequestFault {
  const message = `response_format ${format} is not supported by the upstream that serves the model: use ${formats.join(', ')}`
  return new RequestFault(message, 'response_format', 'unsupported_parameter')
}

/** What the vendor takes. */
function within(speed: number): number {
  return Math.min(2, Math.max(0.5, speed))
}

function bytesOfHex(hex: string): Uint8Array | undefined {
  if (hex === '' || hex.length % 2 === 1 || !/^[0-9a-f]*$/i.test(hex)) return undefined
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16)
  return bytes
}
