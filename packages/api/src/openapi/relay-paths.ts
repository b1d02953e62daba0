import type { JsonSchema, OpenApiOperation, OpenApiParameter, OpenApiPath } from './document-types.ts'
import type { Summary } from './summaries/index.ts'

export const relayTag = 'relay'

interface RelayCall {
  readonly id: string
  readonly summary: Summary
  readonly of: Format
  readonly body?: JsonSchema
  readonly path?: readonly string[]
  readonly access?: 'session'
  readonly streams?: boolean
  /** The body is a form with files. */
  readonly form?: boolean
  /** Media type of a response that is not JSON. */
  readonly responseType?: string
}

/** The authority whose documentation describes the fields: bodies of these formats pass as they are. */
type Format = 'OpenAI' | 'Jina' | 'Anthropic' | 'Gemini'

const text: JsonSchema = { type: 'string' }
const model: JsonSchema = {
  type: 'string',
  description: 'Name of a model that a channel of the key’s group serves.',
}
const anyObject: JsonSchema = { type: 'object', additionalProperties: true }

function fields(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: true }
}

function file(): JsonSchema {
  return { type: 'string', format: 'binary' }
}

const messages = { type: 'array', items: anyObject, minItems: 1 }
const stream = { type: 'boolean', default: false }
const chat = fields({ model, messages, stream, max_tokens: { type: 'integer', minimum: 0 } }, [
  'model',
  'messages',
])
const rerank = fields(
  { model, query: text, documents: { type: 'array' }, top_n: { type: 'integer', minimum: 1 } },
  ['model', 'query', 'documents'],
)
const embeddings = fields({ model, input: { anyOf: [text, { type: 'array' }] } }, ['model', 'input'])
const image = {
  model: { ...model, default: 'dall-e' },
  n: { type: 'integer', minimum: 1 },
  size: text,
} as const
const audio = fields({ model: { ...model, default: 'whisper-1' }, file: file(), response_format: text }, [
  'file',
])
const contents = fields({ contents: { type: 'array', items: anyObject } }, ['contents'])

const video = fields(
  {
    model: { ...model, default: 'sora-2' },
    prompt: text,
    seconds: text,
    size: text,
    input_reference: {},
    metadata: anyObject,
  },
  ['prompt'],
)

type Extras = Omit<RelayCall, 'id' | 'summary' | 'of'>
const callsOf =
  (of: Format) =>
  (id: string, summary: Summary, extras: Extras = {}): RelayCall => ({ id, summary, of, ...extras })
const openAi = callsOf('OpenAI')
const jina = callsOf('Jina')
const anthropic = callsOf('Anthropic')
const gemini = callsOf('Gemini')

const calls: Readonly<Record<string, RelayCall>> = {
  'post /v1/chat/completions': openAi(
    'chat',
    { en: 'Create a chat completion', zh: '创建对话补全' },
    { body: chat, streams: true },
  ),
  'post /v1/completions': openAi(
    'completions',
    { en: 'Create a text completion', zh: '创建文本补全' },
    {
      body: fields({ model, prompt: {}, stream }, ['model', 'prompt']),
      streams: true,
    },
  ),
  'post /v1/embeddings': openAi(
    'embeddings',
    { en: 'Create embeddings', zh: '创建文本嵌入' },
    { body: embeddings },
  ),
  'post /v1/moderations': openAi(
    'moderations',
    { en: 'Check a text by a moderation model', zh: '审核内容' },
    {
      body: fields({ model: { ...model, default: 'text-moderation-stable' }, input: {} }, ['input']),
    },
  ),
  'post /v1/rerank': jina(
    'rerank',
    { en: 'Rerank documents by relevance', zh: '按相关性重排文档' },
    { body: rerank },
  ),
  'post /rerank': jina(
    'rerankAlias',
    { en: 'The same as /v1/rerank', zh: '同 /v1/rerank' },
    { body: rerank },
  ),
  'post /v2/rerank': jina(
    'rerankV2',
    {
      en: 'The same with a response in the second version of Cohere’s form',
      zh: '同上，响应为 Cohere 第二版格式',
    },
    {
      body: rerank,
    },
  ),
  'post /v1/images/generations': openAi(
    'images',
    { en: 'Create images', zh: '生成图片' },
    {
      body: fields({ ...image, prompt: text, quality: text, stream }, ['prompt']),
      streams: true,
    },
  ),
  'post /v1/images/edits': openAi(
    'imageEdits',
    {
      en: 'Edit images; as a form, or as JSON with their addresses',
      zh: '编辑图片，以表单上传，或以 JSON 传图片地址',
    },
    {
      body: fields({ ...image, prompt: text, image: file() }, ['prompt', 'image']),
      form: true,
      streams: true,
    },
  ),
  'post /v1/images/variations': openAi(
    'imageVariations',
    { en: 'Create variations of an image', zh: '生成图片的变体' },
    {
      body: fields({ ...image, image: file() }, ['image']),
      form: true,
    },
  ),
  'post /v1/audio/speech': openAi(
    'speech',
    { en: 'Create speech', zh: '语音合成' },
    {
      body: fields({ model: { ...model, default: 'tts-1' }, input: text, voice: {} }, ['input']),
      streams: true,
      responseType: 'audio/*',
    },
  ),
  'post /v1/audio/transcriptions': openAi(
    'transcriptions',
    { en: 'Transcribe audio', zh: '语音转写' },
    {
      body: audio,
      form: true,
      streams: true,
    },
  ),
  'post /v1/audio/translations': openAi(
    'translations',
    { en: 'Translate audio into English', zh: '将语音翻译为英文' },
    {
      body: audio,
      form: true,
    },
  ),
  'post /v1/videos': openAi(
    'videos',
    { en: 'Create a video; also as a form', zh: '生成视频，也可用表单提交' },
    { body: video },
  ),
  'get /v1/videos/{id}': openAi('video', { en: 'Get a video', zh: '获取视频' }, { path: ['id'] }),
  'get /v1/videos/{id}/content': openAi(
    'videoContent',
    { en: 'Get the content of a finished video', zh: '获取已完成视频的内容' },
    {
      path: ['id'],
      responseType: 'video/*',
    },
  ),
  'post /v1/video/generations': openAi(
    'videoGenerations',
    { en: 'The same as /v1/videos', zh: '同 /v1/videos' },
    { body: video },
  ),
  'get /v1/video/generations/{id}': openAi(
    'videoGeneration',
    { en: 'The same as /v1/videos/{id}', zh: '同 /v1/videos/{id}' },
    {
      path: ['id'],
    },
  ),
  'post /v1/edits': openAi(
    'edits',
    { en: 'Edit a text by an instruction; served as chat', zh: '按指令编辑文本，以对话方式处理' },
    {
      body: fields({ model, instruction: text, input: text }, ['model', 'instruction']),
    },
  ),
  'post /v1/engines/{model}/embeddings': openAi(
    'engineEmbeddings',
    { en: 'Create embeddings, with the model in the path', zh: '创建文本嵌入，模型在路径中' },
    { body: fields({ input: {} }, ['input']), path: ['model'] },
  ),
  'post /v1/messages': anthropic(
    'messages',
    { en: 'Create a message (Anthropic format)', zh: '创建消息（Anthropic 格式）' },
    {
      body: fields({ model, messages, max_tokens: { type: 'integer', minimum: 1 }, stream }, [
        'model',
        'messages',
        'max_tokens',
      ]),
      streams: true,
    },
  ),
  'post /v1beta/models/{model}:generateContent': gemini(
    'generateContent',
    { en: 'Generate content (Gemini format)', zh: '生成内容（Gemini 格式）' },
    {
      body: contents,
      path: ['model'],
    },
  ),
  'post /v1beta/models/{model}:streamGenerateContent': gemini(
    'streamGenerateContent',
    { en: 'Generate content (Gemini format), streamed', zh: '生成内容（Gemini 格式），流式' },
    { body: contents, path: ['model'], streams: true },
  ),
  'get /v1/models': openAi('models', {
    en: 'List the models available to the key',
    zh: '列出令牌可用的模型',
  }),
  'get /v1/models/{model}': openAi('model', { en: 'Get a model', zh: '获取模型' }, { path: ['model'] }),
  ...billing('/dashboard/billing', 'billing'),
  ...billing('/v1/dashboard/billing', 'billingV1'),
  'post /pg/chat/completions': openAi(
    'playground',
    {
      en: 'Create a chat completion with a login session, for the playground',
      zh: '使用登录会话进行对话补全，供体验中心使用',
    },
    {
      body: fields({ model, messages, stream, group: text }, ['model', 'messages']),
      access: 'session',
      streams: true,
    },
  ),
  'post /pg/v1/videos': openAi(
    'playgroundVideos',
    { en: 'Create a video with a login session', zh: '使用登录会话生成视频' },
    {
      body: video,
      access: 'session',
    },
  ),
  'get /pg/v1/videos/{id}/content': openAi(
    'playgroundVideoContent',
    {
      en: 'Get the content of a finished video with a login session',
      zh: '使用登录会话获取已完成视频的内容',
    },
    { path: ['id'], access: 'session', responseType: 'video/mp4' },
  ),
}

/** The form of programs that show the balance of a key. */
function billing(path: string, id: string): Record<string, RelayCall> {
  return {
    [`get ${path}/subscription`]: openAi(`${id}Subscription`, {
      en: 'Get the total quota of the key (OpenAI billing format)',
      zh: '获取令牌的总额度（OpenAI 计费格式）',
    }),
    [`get ${path}/usage`]: openAi(`${id}Usage`, {
      en: 'Get the usage of the key (OpenAI billing format)',
      zh: '获取令牌的已用额度（OpenAI 计费格式）',
    }),
  }
}

const keyOf = {
  OpenAI: [{ relayKey: [] }],
  Jina: [{ relayKey: [] }],
  Anthropic: [{ anthropicKey: [] }, { relayKey: [] }],
  Gemini: [{ geminiKey: [] }, { relayKey: [] }],
} as const satisfies Record<Format, OpenApiOperation['security']>

const statuses = {
  400: 'The request is invalid: the message names the field.',
  401: 'No key, or one that cannot be used.',
  403: 'The key is not allowed: model, group, address or balance.',
  404: 'No channel serves the model.',
  429: 'Too many requests.',
  503: 'No channel can serve the call now.',
} as const

function operationOf(call: RelayCall): OpenApiOperation {
  const response = { 'application/json': { schema: anyObject } }
  const provided = call.responseType === undefined ? response : { [call.responseType]: { schema: file() } }
  const streamed = { 'text/event-stream': { schema: text } }
  const refused = Object.entries(statuses).map(([status, description]) => [
    status,
    { description, content: response },
  ])
  return {
    operationId: `${relayTag}.${call.id}`,
    summary: call.summary.en,
    'x-summary-zh': call.summary.zh,
    description: `${call.of}’s format: fields that are not named here pass as they are, and errors have that format’s shape.`,
    tags: [relayTag],
    security: call.access === 'session' ? [{ session: ['user'], userHeader: [] }] : keyOf[call.of],
    parameters: (call.path ?? []).map(
      (name): OpenApiParameter => ({ name, in: 'path', required: true, schema: text }),
    ),
    ...(call.body && {
      requestBody: {
        required: true,
        content: { [call.form ? 'multipart/form-data' : 'application/json']: { schema: call.body } },
      },
    }),
    responses: {
      ...Object.fromEntries(refused),
      200: { description: 'The response.', content: { ...provided, ...(call.streams && streamed) } },
    },
    'x-access': call.access ?? 'relay-key',
  }
}

/** The relay's own endpoints in short: their authors document the formats. */
export const relayPaths: Readonly<Record<string, OpenApiPath>> = Object.fromEntries(
  Object.entries(calls).map(([line, call]) => {
    const [method = '', path = ''] = line.split(' ')
    return [path, { [method]: operationOf(call) }]
  }),
)
