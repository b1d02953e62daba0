import {
  bytesOfBase64,
  imageCodec,
  type JsonObject,
  listOf,
  type MadeImage,
  objectOf,
  RequestFault,
  readDataUrl,
  readGeminiUsage,
  speechCodec,
  textOf,
} from '@tollgate/formats'
import { aspectRatioOf, droppedImageOptions, refuseAddresses, refuseSeveral } from '../modes/images.ts'

const imagenRatios = ['1:1', '16:9', '9:16', '4:3', '3:4']

/** Imagen, by `predict`. https://ai.google.dev/gemini-api/docs/imagen */
export const imagenImages = imageCodec({
  encodeRequest(request) {
    refuseAddresses(request)
    const { prompt, n, size, vendor } = request
    const ratio = aspectRatioOf(size, imagenRatios)
    return {
      body: {
        instances: [{ prompt }],
        parameters: {
          ...(ratio !== undefined && { aspectRatio: ratio }),
          ...vendor,
          sampleCount: n,
          includeRaiReason: true,
        },
      },
      dropped: droppedImageOptions(request, 'quality', 'style', 'user'),
    }
  },
  decodeResponse({ json }) {
    const list = objectOf(json).predictions
    if (!Array.isArray(list)) return undefined
    const predictions = list.map(objectOf)
    const data = predictions.map((item) => textOf(item.bytesBase64Encoded))
    const images = data.filter((b64) => b64 !== '').map((b64) => ({ b64 }))
    const filtered = imagenFilter(predictions)
    return { images, usage: undefined, ...(filtered !== undefined && { filtered }) }
  },
})

/**
 * Returns the reason for which Imagen's filter stopped images: it gives the reason in place of the image where a request asks for it,
 * as ours do. A list without a single prediction is one of which all were stopped.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/image/responsible-ai-imagen
 */
export function imagenFilter(predictions: readonly JsonObject[]): string | undefined {
  const reasons = predictions.map((item) => textOf(item.raiFilteredReason)).filter((reason) => reason !== '')
  return predictions.length === 0 ? '' : reasons[0]
}

/** Gemini's own drawing models, by `generateContent`: one image a call. https://ai.google.dev/gemini-api/docs/image-generation */
export const geminiImages = imageCodec({
  encodeRequest(request) {
    refuseSeveral(request)
    refuseAddresses(request)
    const { prompt, size, images, vendor } = request
    const ratio = aspectRatioOf(size)
    return {
      body: {
        contents: [{ role: 'user', parts: [...images.map(pictureOf), { text: prompt }] }],
        generationConfig: {
          responseModalities: ['IMAGE'],
          ...(ratio !== undefined && { imageConfig: { aspectRatio: ratio } }),
        },
      },
      dropped: [...droppedImageOptions(request, 'quality', 'style', 'user'), ...Object.keys(vendor)],
    }
  },
  decodeResponse({ json }) {
    const images = inlineData(json).flatMap(({ mimeType, data }): MadeImage[] =>
      mimeType.startsWith('image/') ? [{ b64: data }] : [],
    )
    const filtered = geminiFilter(objectOf(json))
    const usage = readGeminiUsage(objectOf(json).usageMetadata)
    return { images, usage, ...(filtered !== undefined && { filtered }) }
  },
})

/** https://ai.google.dev/api/generate-content#FinishReason */
const filterFinish = /SAFETY|PROHIBITED|RECITATION|BLOCKLIST|SPII/

function geminiFilter({ promptFeedback, candidates }: JsonObject): string | undefined {
  const blocked = textOf(objectOf(promptFeedback).blockReason)
  if (blocked !== '') return blocked
  const ends = listOf(candidates).map((candidate) => textOf(objectOf(candidate).finishReason))
  return ends.find((reason) => filterFinish.test(reason))
}

/** Google fetches nothing by its address here. */
function pictureOf(url: string) {
  const data = readDataUrl(url)
  if (data !== undefined) return { inlineData: { mimeType: data.mediaType, data: data.data } }
  const message = 'image is not supported by its address: the model is served by an upstream that takes files'
  throw new RequestFault(message, 'image', 'unsupported_parameter')
}

/** Media of a response to `generateContent`. */
function inlineData(body: unknown): readonly { readonly mimeType: string; readonly data: string }[] {
  return listOf(objectOf(body).candidates)
    .flatMap((candidate) => listOf(objectOf(objectOf(candidate).content).parts))
    .map((part) => objectOf(objectOf(part).inlineData ?? objectOf(part).inline_data))
    .map(({ mimeType, mime_type, data }) => ({ mimeType: textOf(mimeType ?? mime_type), data: textOf(data) }))
    .filter(({ data }) => data !== '')
}

/** Voice of the vendor's own, for a caller who named one of OpenAI's. */
const defaultVoice = 'Kore'
/** The vendor's begin with a capital letter. */
const ownVoice = /^[A-Z]/
const defaultRate = 24_000

/** Gives the bare samples of speech models a WAV header. https://ai.google.dev/gemini-api/docs/speech-generation */
export const geminiSpeech = speechCodec({
  encodeRequest({ input, voice, format, speed, instructions, vendor }) {
    if (format !== '' && format !== 'wav' && format !== 'pcm') throw unknownFormat(format)
    const voiceName = ownVoice.test(voice) ? voice : defaultVoice
    return {
      body: {
        contents: [
          { role: 'user', parts: [{ text: instructions === '' ? input : `${instructions}\n\n${input}` }] },
        ],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
        },
      },
      dropped: [
        ...(speed === undefined ? [] : ['speed']),
        ...(voice !== '' && voiceName !== voice ? ['voice'] : []),
        ...Object.keys(vendor),
      ],
    }
  },
  decodeResponse({ json }, { format }) {
    const [found] = inlineData(json)
    const samples = found && bytesOfBase64(found.data)
    if (found === undefined || samples === undefined) return undefined
    const usage = readGeminiUsage(objectOf(json).usageMetadata)
    if (format === 'pcm') return { audio: samples, contentType: 'audio/pcm', usage }
    const rate = Number(/rate=(\d{4,6})/.exec(found.mimeType)?.[1] ?? defaultRate)
    return { audio: wavOf(samples, rate), contentType: 'audio/wav', usage }
  },
})

function unknownFormat(format: string): RequestFault {
  return new RequestFault(
    `response_format ${format} is not supported by the upstream that serves the model: use wav or pcm`,
    'response_format',
    'unsupported_parameter',
  )
}

/** Wraps samples of 16 bits and one channel. */
function wavOf(samples: Uint8Array, rate: number): Uint8Array {
  const wav = new Uint8Array(44 + samples.length)
  const view = new DataView(wav.buffer)
  const text = (at: number, name: string) => {
    for (let position = 0; position < name.length; position++) wav[at + position] = name.charCodeAt(position)
  }
  text(0, 'RIFF')
  view.setUint32(4, 36 + samples.length, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length, true)
  wav.set(samples, 44)
  return wav
}
