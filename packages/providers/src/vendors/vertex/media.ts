import {
  imageCodec,
  type JsonObject,
  listOf,
  type ModeCodec,
  numberOf,
  objectOf,
  textOf,
  unsupported,
} from '@tollgate/formats'
import type { ChannelTarget } from '../../channel-target.ts'
import { plainOperation } from '../../define-provider.ts'
import { geminiImages, geminiSpeech, imagenFilter } from '../../families/google-media.ts'
import { readVeo, veoBody, veoTerms } from '../../families/veo.ts'
import type { Operation } from '../../provider.ts'
import type { OpenTask, VideoService } from '../../task.ts'
import { pollEach, postRequest } from '../../video/report.ts'
import { decodeError } from './credential.ts'
import { modelUrl } from './endpoint.ts'

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
const maxImages = 8

/** Imagen responds with bytes and offers no address. */
export const images = plainOperation({
  format: 'provider:vertex-images',
  plain: imageCodec({
    encodeRequest({ prompt, n, size, quality, style, responseFormat, user, vendor }) {
      const aspectRatio = Object.hasOwn(shapes, size) ? shapes[size] : undefined
      if (aspectRatio === undefined)
        throw unsupported('size', `it makes ${Object.keys(shapes).slice(4).join(', ')}`)
      if (n > maxImages) throw unsupported('n', `it makes ${maxImages} images at most`)
      const { seed, ...others } = vendor
      const lost = { quality, style, response_format: responseFormat === 'url' ? responseFormat : '', user }
      const dropped = Object.entries(lost).flatMap(([name, value]) => (value === '' ? [] : [name]))
      const parameters = {
        sampleCount: n,
        aspectRatio,
        personGeneration: 'allow_adult',
        includeRaiReason: true,
        // A watermark and a seed exclude each other.
        ...(numberOf(seed) !== undefined && { seed, addWatermark: false }),
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
  endpoint: (target) => ({ url: modelUrl(target, 'google', target.upstreamModel, 'predict'), headers: {} }),
  decodeError,
})

/** Gemini draws and speaks as a response to a prompt. */
function generated(mode: string, plain: ModeCodec): Operation {
  return {
    format: `provider:vertex-gemini-${mode}`,
    plain,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target) => ({
      url: modelUrl(target, 'google', target.upstreamModel, 'generateContent'),
      headers: {},
    }),
    decodeError,
  }
}

export const geminiPictures = generated('images', geminiImages)
export const speech = generated('speech', geminiSpeech)

const bytesMember = 'bytesBase64Encoded'
const operationName = /^[\w./:@-]+\/operations\/[\w-]+$/

/** Veo. https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation */
export const vertexVideo: VideoService = {
  submit(order, target) {
    const model = target.upstreamModel.replace(/^models\//, '')
    const body = veoBody(order, model)
    const parameters = { ...objectOf(body.parameters), sampleCount: 1 }
    return postRequest(modelUrl(target, 'google', model, 'predictLongRunning'), { ...body, parameters })
  },
  terms: (order, { upstreamModel }) => veoTerms(order, upstreamModel),
  reference(body) {
    const name = textOf(objectOf(body).name)
    return operationName.test(name) ? name : undefined
  },
  polling: {
    ...pollEach(askFor, (operation) =>
      readVeo(operation, (response) => (hasVideo(response) ? {} : undefined)),
    ),
    shortened: bytesMember,
  },
  // The operation itself holds the bytes, because the request named no storage for them.
  content: (task, _url, target) => ({
    ...askFor(task, target),
    base64: { member: bytesMember, mediaType: 'video/mp4' },
  }),
}

function askFor({ reference, model }: OpenTask, target: ChannelTarget) {
  const upstreamModel = model.replace(/^models\//, '')
  const url = modelUrl({ ...target, upstreamModel }, 'google', upstreamModel, 'fetchPredictOperation')
  return postRequest(url, { operationName: reference })
}

function hasVideo(response: JsonObject): boolean {
  return textOf(objectOf(listOf(response.videos)[0])[bytesMember]) !== ''
}
