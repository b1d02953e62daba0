import { imageCodec, objectOf, textOf, unsupported } from '@tollgate/formats'
import { imagenFilter } from '../gemini-images.ts'
import type { Operation } from '../provider.ts'
import { modelUrl } from './address.ts'
import { decodeError } from './error.ts'

/** Imagen makes shapes, not sizes. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api */
const shapes: Readonly<Record<string, string>> = {
  '': '1:1',
  auto: '1:1',
  '256x256': '1:1',
  '512x512': '1:1',
  '1024x1024': '1:1',
  '1024x1792': '9:16',
  '1792x1024': '16:9',
  '1024x1536': '3:4',
  '1536x1024': '4:3',
}
const mostImages = 8

/** Imagen answers with bytes: an address cannot be had of it. */
export const images: Operation = {
  format: 'provider:vertex-images',
  plain: imageCodec({
    encodeRequest({ prompt, n, size, quality, style, responseFormat, user, vendor }) {
      const aspectRatio = Object.hasOwn(shapes, size) ? shapes[size] : undefined
      if (aspectRatio === undefined)
        throw unsupported('size', `it makes ${Object.keys(shapes).slice(4).join(', ')}`)
      if (n > mostImages) throw unsupported('n', `it makes ${mostImages} images at most`)
      const { seed, ...others } = vendor
      const lost = { quality, style, response_format: responseFormat === 'url' ? responseFormat : '', user }
      const dropped = Object.entries(lost).flatMap(([name, value]) => (value === '' ? [] : [name]))
      const parameters = {
        sampleCount: n,
        aspectRatio,
        personGeneration: 'allow_adult',
        includeRaiReason: true,
        // A watermark and a seed exclude each other.
        ...(typeof seed === 'number' && { seed, addWatermark: false }),
      }
      return { body: { instances: [{ prompt }], parameters }, dropped: [...dropped, ...Object.keys(others)] }
    },
    decodeResponse(response) {
      const list = objectOf(response.json).predictions
      if (!Array.isArray(list)) return undefined
      const predictions = list.map(objectOf)
      const made = predictions.flatMap(({ bytesBase64Encoded, prompt }) =>
        textOf(bytesBase64Encoded) === ''
          ? []
          : [
              {
                b64: textOf(bytesBase64Encoded),
                ...(textOf(prompt) !== '' && { revisedPrompt: textOf(prompt) }),
              },
            ],
      )
      const filtered = imagenFilter(predictions)
      return { images: made, usage: undefined, ...(filtered !== undefined && { filtered }) }
    },
  }),
  framing: 'sse',
  streamOptions: false,
  endpoint: (target) => ({ url: modelUrl(target, 'google', target.upstreamModel, 'predict'), headers: {} }),
  decodeError,
}
