import {
  imageCodec,
  listOf,
  type MadeImage,
  objectOf,
  RequestFault,
  readDataUrl,
  readGeminiUsage,
  textOf,
} from '@tollgate/formats'
import { aspectRatioOf, refuseAddresses, refuseSeveral, unsaid } from './own-images.ts'

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
        parameters: { sampleCount: n, ...(ratio !== undefined && { aspectRatio: ratio }), ...vendor },
      },
      dropped: unsaid(request, 'quality', 'style', 'user'),
    }
  },
  decodeAnswer({ json }) {
    const { predictions } = objectOf(json)
    if (!Array.isArray(predictions)) return undefined
    const data = predictions.map((item) => textOf(objectOf(item).bytesBase64Encoded))
    return { images: data.filter((b64) => b64 !== '').map((b64) => ({ b64 })), usage: undefined }
  },
})

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
      dropped: [...unsaid(request, 'quality', 'style', 'user'), ...Object.keys(vendor)],
    }
  },
  decodeAnswer({ json }) {
    const images = inlineData(json).flatMap(({ mimeType, data }): MadeImage[] =>
      mimeType.startsWith('image/') ? [{ b64: data }] : [],
    )
    return { images, usage: readGeminiUsage(objectOf(json).usageMetadata) }
  },
})

/** Google fetches nothing by its address here. */
function pictureOf(url: string) {
  const data = readDataUrl(url)
  if (data !== undefined) return { inlineData: { mimeType: data.mediaType, data: data.data } }
  const message = 'image is not supported by its address: the model is served by an upstream that takes files'
  throw new RequestFault(message, 'image', 'unsupported_parameter')
}

/** Media of an answer to `generateContent`. */
export function inlineData(body: unknown): readonly { readonly mimeType: string; readonly data: string }[] {
  return listOf(objectOf(body).candidates)
    .flatMap((candidate) => listOf(objectOf(objectOf(candidate).content).parts))
    .map((part) => objectOf(objectOf(part).inlineData ?? objectOf(part).inline_data))
    .map(({ mimeType, mime_type, data }) => ({ mimeType: textOf(mimeType ?? mime_type), data: textOf(data) }))
    .filter(({ data }) => data !== '')
}
