import {
  base64OfBytes,
  bytesOfBase64,
  imageCodec,
  isObject,
  type JsonObject,
  listOf,
  type ModeCodec,
  objectOf,
  RequestFault,
  type RequestQuirks,
  rerankCodec,
  speechCodec,
  type TranscriptionCodec,
  textOf,
} from '@tollgate/formats'
import { fillModel, pathSegment } from '../../endpoint-url.ts'
import { knownCompletionFields } from '../../modes/completions.ts'
import { droppedImageOptions, refuseAddresses, refuseSeveral, sidesOf } from '../../modes/images.ts'
import { openAiCompatible } from '../../openai/openai-compatible.ts'
import type { CallIdentity, RelayMode } from '../../provider.ts'
import { namesIn, nextByNumber } from '../../queries/model-lists.ts'
import { meaningsOf, wordsOf } from '../../words.ts'

const known: ReadonlySet<string> = new Set(
  wordsOf(`
    prompt stream max_tokens temperature top_p top_k seed repetition_penalty frequency_penalty
    presence_penalty raw lora
  `),
)

/** The address holds the model. https://developers.cloudflare.com/workers-ai/models/ */
const completionFields: RequestQuirks = (request) =>
  new Map([...knownCompletionFields(request, known), ['model', undefined], ['stream_options', undefined]])

/**
 * Returns a completion of OpenAI's form: a buffered response holds its text inside the envelope of every call; an event holds a piece
 * of it, and the last one the usage.
 */
function normalizeCompletion(
  completion: JsonObject,
  { responseId, createdAt, model }: CallIdentity,
): JsonObject {
  const isBuffered = isObject(completion.result)
  const { response, usage } = isBuffered ? objectOf(completion.result) : completion
  if (typeof response !== 'string') return completion
  const isLast = isBuffered || (response === '' && isObject(usage))
  return {
    id: `cmpl-${responseId}`,
    object: 'text_completion',
    created: createdAt,
    model,
    choices: [{ index: 0, text: response, logprobs: null, finish_reason: isLast ? 'stop' : null }],
    ...(isObject(usage) && { usage }),
  }
}

/** The first Whisper takes the bytes; its successor takes base64, and settings. https://developers.cloudflare.com/workers-ai/models/whisper-large-v3-turbo/ */
const cloudflareTranscriptions: TranscriptionCodec = {
  encodeRequest({ language, prompt, translate }, { model }) {
    if (!model.includes('turbo')) {
      const dropped = [...(language === '' ? [] : ['language']), ...(prompt === '' ? [] : ['prompt'])]
      return { kind: 'bytes', dropped }
    }
    const body = {
      task: translate ? 'translate' : 'transcribe',
      ...(language !== '' && { language }),
      ...(prompt !== '' && { initial_prompt: prompt }),
    }
    return { kind: 'base64', member: 'audio', body, dropped: [] }
  },
  decodeResponse(json) {
    const { result } = objectOf(json)
    if (!isObject(result) || typeof result.text !== 'string') return undefined
    const { duration, language } = objectOf(result.transcription_info)
    const words = listOf(result.words)
    const segments = listOf(result.segments)
    return {
      text: result.text,
      ...(typeof duration === 'number' && { duration }),
      ...(textOf(language) !== '' && { language: textOf(language) }),
      ...(textOf(result.vtt) !== '' && { vtt: textOf(result.vtt) }),
      ...(words.length > 0 && { words }),
      ...(segments.length > 0 && { segments }),
    }
  },
}

/** Some models respond with an image's bytes, others with base64. https://developers.cloudflare.com/workers-ai/models/ */
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

/** Codecs of the modes that `/ai/run/{model}` serves. */
const cloudflareModes: Readonly<Record<'images' | 'speech' | 'rerank', ModeCodec>> = {
  images,
  speech,
  rerank,
}

/** The other modes have no address but the model's own. */
const paths: { readonly [Mode in RelayMode]?: string } = {
  chat: '/v1/chat/completions',
  embeddings: '/v1/embeddings',
}

/** Workers AI; `other` is the account id. https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ */
export const cloudflare = openAiCompatible({
  id: 'cloudflare',
  root: (target) => `/client/v4/accounts/${pathSegment(target.other.trim())}/ai`,
  serves: [
    'chat',
    'completions',
    'embeddings',
    'images',
    'speech',
    'rerank',
    'transcriptions',
    'translations',
  ],
  plain: cloudflareModes,
  modeQuirks: { completions: completionFields },
  normalizeCompletion,
  transcription: cloudflareTranscriptions,
  paths: (mode, { upstreamModel }) => paths[mode] ?? fillModel('/run/{model}', upstreamModel),
  responses: { path: '/v1/responses', serves: ({ upstreamModel }) => upstreamModel.includes('gpt-oss') },
  modelsPath: '/models/search?per_page=100&page=1',
  nextModels: nextByNumber,
  decodeModels: (body) => namesIn(body, 'result', 'name'),
  codes: meaningsOf({
    unauthorized: '10000',
    not_found: '7003',
    model_not_found: '5007',
    bad_request: '5006',
    overloaded: '3040',
    account_limited: '3036',
  }),
})
