import {
  type EmbeddingInput,
  embeddingCodec,
  type FormatName,
  gemini as geminiCodec,
  listOf,
  type ModeCodec,
  objectOf,
  RequestFault,
  textOf,
} from '@tollgate/formats'
import { fillModel } from '../../endpoint-url.ts'
import { geminiImages, geminiSpeech, imagenImages } from '../../families/google-media.ts'
import { readVeo, veoBody, veoTerms } from '../../families/veo.ts'
import type { Operation, PlainFormat, RelayMode, Target } from '../../provider.ts'
import type { VideoService } from '../../task.ts'
import { getRequest, pollEach, postRequest } from '../../video/report.ts'
import { addressOf, resourceOf } from './endpoint.ts'

/** Always as a batch. https://ai.google.dev/api/embeddings */
const geminiEmbeddings = embeddingCodec({
  encodeRequest({ inputs, dimensions, user, vendor }, { model }) {
    const { task_type, title, ...others } = vendor
    const requests = inputs.map((input) => ({
      model: `models/${model.replace(/^models\//, '')}`,
      content: { parts: [{ text: textIn(input) }] },
      ...(dimensions !== undefined && { outputDimensionality: dimensions }),
      ...(typeof task_type === 'string' && { taskType: task_type }),
      ...(typeof title === 'string' && { title }),
    }))
    return { body: { requests }, dropped: [...Object.keys(others), ...(user === '' ? [] : ['user'])] }
  },
  decodeResponse({ json }, { inputs }) {
    const { embeddings } = objectOf(json)
    const vectors = listOf(embeddings).map((item) => listOf(objectOf(item).values))
    return vectors.length === inputs.length && vectors.every(isVector) ? vectors : undefined
  },
})

function isVector(values: readonly unknown[]): values is readonly number[] {
  return values.length > 0 && values.every((value) => typeof value === 'number')
}

function textIn(input: EmbeddingInput): string {
  if (typeof input === 'string') return input
  const text = textOf(objectOf(input).text)
  if (text !== '') return text
  throw new RequestFault(
    'input is not supported: the model is served by an upstream that takes texts, and no token numbers',
    'input',
    'unsupported_parameter',
  )
}

const operationName = /^(models|tunedModels)\/[\w.-]+\/operations\/[\w.-]+$/

/** Path of a file under the API's version, at whatever host its address names. */
const filePath = /\/(files\/[\w-]+:download)\?alt=media$/

/** Veo. https://ai.google.dev/gemini-api/docs/video */
export const geminiVideo: VideoService = {
  submit(order, target) {
    const { upstreamModel } = target
    const path = fillModel('/{model}:predictLongRunning', resourceOf(upstreamModel))
    return postRequest(addressOf(target, path, upstreamModel), veoBody(order, upstreamModel))
  },
  terms: (order, { upstreamModel }) => veoTerms(order, upstreamModel),
  reference(body) {
    const name = textOf(objectOf(body).name)
    return operationName.test(name) ? name : undefined
  },
  polling: pollEach(
    ({ reference, model }, target) => getRequest(addressOf(target, `/${reference}`, model)),
    (operation) =>
      readVeo(operation, ({ generateVideoResponse }) => {
        const [sample] = listOf(objectOf(generateVideoResponse).generatedSamples)
        const url = textOf(objectOf(objectOf(sample).video).uri)
        return /^https?:\/\//i.test(url) ? { result: operation, properties: { url } } : undefined
      }),
  ),
  // The key goes to the channel's own host alone.
  content({ model }, url, target) {
    const [, path] = filePath.exec(url) ?? []
    if (path === undefined) return undefined
    return { method: 'GET', url: addressOf(target, `/${path}?alt=media`, model), headers: {} }
  },
}

/** A mode beside chat, by a method of the model's own. */
function byMethod(mode: RelayMode, method: string, plain: ModeCodec): Operation {
  return {
    format: `provider:gemini-${method}-${mode}`,
    plain,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target, { options }) => {
      const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
      return { url: addressOf(target, path, target.upstreamModel, options), headers: {} }
    },
    decodeError: geminiCodec.decodeError,
  }
}

const embeddings = byMethod('embeddings', 'batchEmbedContents', geminiEmbeddings)
const imagen = byMethod('images', 'predict', imagenImages)
const images = byMethod('images', 'generateContent', geminiImages)
const imageEdits = byMethod('image-edits', 'generateContent', geminiImages)
const speech = byMethod('speech', 'generateContent', geminiSpeech)

/** Operations for callers of Gemini's own format. */
const ownEmbeddings: { readonly [Format in PlainFormat]?: Operation } = {
  'gemini-embedding': asReceived('gemini-embedding', 'embedContent'),
  'gemini-batch-embeddings': asReceived('gemini-batch-embeddings', 'batchEmbedContents'),
}

function asReceived(format: PlainFormat, method: string): Operation {
  const { plain: _plain, ...operation } = byMethod('embeddings', method, geminiEmbeddings)
  return { ...operation, format }
}

/** `undefined` for a mode that the upstream does not have. */
/** The operations of the modes beside chat. */
export const modeOperations = {
  embeddings: (_target: Target, callerFormat: FormatName | PlainFormat) =>
    ownEmbeddings[callerFormat as PlainFormat] ?? embeddings,
  images: ({ upstreamModel }: Target) => (upstreamModel.includes('imagen') ? imagen : images),
  'image-edits': ({ upstreamModel }: Target) => (upstreamModel.includes('imagen') ? undefined : imageEdits),
  speech,
}
