import {
  base64OfBytes,
  bytesOfBase64,
  imageCodec,
  listOf,
  type ModeCodec,
  objectOf,
  RequestFault,
  rerankCodec,
  speechCodec,
  textOf,
} from '@tollgate/formats'
import { droppedImageOptions, refuseAddresses, refuseSeveral, sidesOf } from '../own-images.ts'

/** Some models answer with an image, others with one as base64. https://developers.cloudflare.com/workers-ai/models/ */
const images = imageCodec({
  encodeRequest(request) {
    refuseSeveral(request)
    refuseAddresses(request)
    const [width, height] = sidesOf(request.size) ?? []
    return {
      body: { ...request.vendor, prompt: request.prompt, ...(width !== undefined && { width, height }) },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json, bytes, contentType }) {
    const image = textOf(objectOf(objectOf(json).result).image)
    const b64 = image === '' && contentType.startsWith('image/') ? base64OfBytes(bytes) : image
    return b64 === '' ? undefined : { images: [{ b64 }], usage: undefined }
  },
})

/** MeloTTS says the language, Aura the speaker. Both make MP3. */
const speech = speechCodec({
  encodeRequest({ input, voice, format, speed, instructions, vendor }, { model }) {
    if (format !== '' && format !== 'mp3')
      throw new RequestFault(
        `response_format ${format} is not supported by the upstream that serves the model: use mp3`,
        'response_format',
        'unsupported_parameter',
      )
    const dropped = [
      ...(speed === undefined ? [] : ['speed']),
      ...(instructions === '' ? [] : ['instructions']),
    ]
    if (!model.includes('aura'))
      return { body: { prompt: input, lang: 'en', ...vendor }, dropped: [...dropped, 'voice'] }
    return { body: { text: input, ...(voice !== '' && { speaker: voice }), ...vendor }, dropped }
  },
  decodeResponse({ json, bytes, contentType }) {
    const text = textOf(objectOf(objectOf(json).result).audio)
    const audio = contentType.startsWith('audio/') ? bytes : bytesOfBase64(text)
    const type = contentType.startsWith('audio/') ? contentType : 'audio/mpeg'
    return audio && { audio, contentType: type, usage: undefined }
  },
})

const rerank = rerankCodec({
  encodeRequest: ({ query, texts, topN, vendor }) => ({
    body: {
      ...vendor,
      query,
      contexts: texts.map((text) => ({ text })),
      ...(topN !== undefined && { top_k: topN }),
    },
    dropped: [],
  }),
  decodeResponse({ json }) {
    const { response } = objectOf(objectOf(json).result)
    if (!Array.isArray(response)) return undefined
    const results = listOf(response).map(objectOf)
    if (!results.every(({ id, score }) => typeof id === 'number' && typeof score === 'number'))
      return undefined
    return {
      results: results.map(({ id, score }) => ({ index: Number(id), score: Number(score) })),
      usage: undefined,
    }
  },
})

/** What `/ai/run/{model}` is asked for. */
export const cloudflareModes: Readonly<Record<'images' | 'speech' | 'rerank', ModeCodec>> = {
  images,
  speech,
  rerank,
}
