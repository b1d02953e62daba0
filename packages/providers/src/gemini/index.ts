import { gemini as geminiCodec, type PlainCodec } from '@tollgate/formats'
import { fillModel, versionedUrl } from '../endpoint-url.ts'
import { namesIn } from '../openai-compatible.ts'
import type { ChannelTarget, Operation, Provider, RelayMode } from '../provider.ts'
import { geminiEmbeddings } from './embeddings.ts'
import { geminiImages, imagenImages } from './images.ts'
import { geminiSpeech } from './speech.ts'

const defaultBaseUrl = 'https://generativelanguage.googleapis.com'
const usualVersion = 'v1beta'
const version = /^v\d+[a-z0-9]*$/

const generate: Operation = {
  format: 'gemini',
  codec: geminiCodec,
  framing: 'sse',
  streamOptions: false,
  endpoint: (target, { stream }) => {
    const method = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
    return { url: addressOf(target, path), headers: {} }
  },
  decodeError: geminiCodec.decodeError,
}

/** A mode beside chat, by a method of the model's own. */
function plain(mode: RelayMode, method: string, codec: PlainCodec): Operation {
  return {
    format: `provider:gemini-${method}-${mode}`,
    plain: codec,
    framing: 'sse',
    streamOptions: false,
    endpoint: (target) => {
      const path = fillModel(`/{model}:${method}`, resourceOf(target.upstreamModel))
      return { url: addressOf(target, path), headers: {} }
    },
    decodeError: geminiCodec.decodeError,
  }
}

const embeddings = plain('embeddings', 'batchEmbedContents', geminiEmbeddings)
const imagen = plain('images', 'predict', imagenImages)
const images = plain('images', 'generateContent', geminiImages)
const speech = plain('speech', 'generateContent', geminiSpeech)

function operationOf(mode: RelayMode, model: string): Operation | undefined {
  switch (mode) {
    case 'chat':
      return generate
    case 'embeddings':
      return embeddings
    case 'images':
      return model.includes('imagen') ? imagen : images
    case 'speech':
      return speech
    default:
      return undefined
  }
}

/** Gemini API. https://ai.google.dev/api */
export const gemini: Provider = {
  id: 'gemini',
  defaultBaseUrl,
  // In a header and not in the address: addresses end up in logs.
  credential: {
    kind: 'headers',
    headers: ({ key }) => (key === '' ? {} : { 'x-goog-api-key': key }),
  },
  modes: ['chat', 'embeddings', 'images', 'speech'],
  operation: (mode, { upstreamModel }) => operationOf(mode, upstreamModel),
  models: {
    endpoint: (target) => ({ url: addressOf(target, '/models?pageSize=1000'), headers: {} }),
    decode: (body) => namesIn(body, 'models', 'name').map((name) => name.replace(/^models\//, '')),
  },
  decodeError: geminiCodec.decodeError,
}

/** The channel's free field names another version of the API. */
function addressOf({ baseUrl, other }: ChannelTarget, path: string): string {
  const asked = other.trim()
  return versionedUrl(baseUrl || defaultBaseUrl, `/${version.test(asked) ? asked : usualVersion}`, path)
}

/** Tuned models have a collection of their own. */
function resourceOf(model: string): string {
  return /^(models|tunedModels)\//.test(model) ? model : `models/${model}`
}
