import {
  audioTypeOf,
  imageCodec,
  isObject,
  listOf,
  objectOf,
  RequestFault,
  speechCodec,
  textOf,
} from '@tollgate/formats'
import { aspectRatioOf, droppedImageOptions } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { RelayMode } from '../../provider.ts'
import { meaningsOf } from '../../words.ts'
import { groupQuery, isFailed } from './common.ts'
import { isMinimaxVideo, minimaxVideo } from './video.ts'

/** https://platform.minimaxi.com/document/image-generation */
const minimaxImages = imageCodec({
  encodeRequest(request, { model }) {
    const { prompt, n, size, responseFormat, vendor } = request
    const ratio = aspectRatioOf(size)
    return {
      body: {
        ...(ratio !== undefined && { aspect_ratio: ratio }),
        ...vendor,
        model,
        prompt,
        n,
        response_format: responseFormat === 'b64_json' ? 'base64' : 'url',
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    if (!isObject(json) || isFailed(json)) return undefined
    const { image_urls, image_base64 } = objectOf(json.data)
    const images = [
      ...texts(image_urls).map((url) => ({ url })),
      ...texts(image_base64).map((b64) => ({ b64 })),
    ]
    // Blocked ones are counted; https://platform.minimaxi.com/document/image-generation
    const isFiltered = Number(objectOf(json.metadata).failed_count) > 0
    return { images, usage: undefined, ...(isFiltered && { filtered: '' }) }
  },
})

function texts(list: unknown): readonly string[] {
  return listOf(list).filter((item) => typeof item === 'string')
}

const formats = ['mp3', 'wav', 'flac', 'pcm']
/** Voice of the vendor's own, for a caller who named one of OpenAI's. */
const defaultVoice = 'male-qn-qingse'
const openAiVoices = /^(alloy|ash|ballad|coral|echo|fable|nova|onyx|sage|shimmer|verse|marin|cedar)$/

/** https://platform.minimaxi.com/document/T2A%20V2 */
const minimaxSpeech = speechCodec({
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

/** Clamps a speed to the range that the vendor takes. */
function within(speed: number): number {
  return Math.min(2, Math.max(0.5, speed))
}

function bytesOfHex(hex: string): Uint8Array | undefined {
  if (hex === '' || hex.length % 2 === 1 || !/^[0-9a-f]*$/i.test(hex)) return undefined
  const bytes = new Uint8Array(hex.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16)
  return bytes
}

const paths: { readonly [Mode in RelayMode]?: string } = {
  chat: '/text/chatcompletion_v2',
  images: '/image_generation',
  speech: '/t2a_v2',
}

/**
 * Failures are a 200 with `base_resp`; the last frame of a stream repeats the buffered response, which the stream reader
 * swallows. https://platform.minimaxi.com/document/ChatCompletion_v2
 */
export const minimax = openAiCompatible({
  id: 'minimax',
  serves: ['chat', 'images', 'speech'],
  lacks: ['model-list'],
  plain: { images: minimaxImages, speech: minimaxSpeech },
  paths: (mode, { other }) => `${paths[mode]}${mode === 'speech' ? groupQuery(other) : ''}`,
  tasks: { video: (model) => (isMinimaxVideo(model) ? minimaxVideo : undefined) },
  codes: meaningsOf({
    upstream_bug: '1000 1013 1024 1033',
    timeout: '1001',
    rate_limited: '1002 1039 1041 2045',
    account_limited: '2056',
    unauthorized: '1004 2049',
    quota: '1008',
    content_policy: '1026 1027',
    bad_request: '1042 2013',
    forbidden: '2044',
  }),
})
