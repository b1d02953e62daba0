import {
  type Counts,
  defaultCounts,
  type Protocol,
  type ReceivedCall,
  type Scripted,
  type ScriptedCall,
  sseFrame,
  type ToolTurn,
  type WireFrame,
} from './protocol.ts'

/** Google's generateContent. https://ai.google.dev/api/generate-content */
export const geminiProtocol: Protocol = {
  streamType: 'text/event-stream',
  wantsStream: ({ path }) => path.endsWith(':streamGenerateContent'),
  fault(call) {
    const { path, query, headers, json } = call
    if (modelIn(path) === undefined) return { status: 404, message: `no such path: ${path}` }
    if (headers['x-goog-api-key'] === undefined) return { status: 403, message: 'no API key' }
    if (path.endsWith(':streamGenerateContent') && query !== '?alt=sse')
      return { status: 400, message: 'only alt=sse is spoken here' }
    return contentsFault(json)
  },
  frames(reply, call) {
    const { reasoning = [], text = [], toolCalls = [], counts = defaultCounts, countsAt = 'end' } = reply
    const model = modelIn(call.path)
    const early = countsAt === 'nowhere' ? {} : usageMember(counts, countsAt === 'start')
    const late = countsAt === 'end' ? usageMember(counts, true) : {}
    const middle = countsAt === 'end' ? early : {}
    return [
      chunk(model, [], early, false),
      ...reasoning.map((piece) => chunk(model, [{ text: piece, thought: true }], middle, true)),
      ...text.map((piece) => chunk(model, [{ text: piece }], middle, true)),
      ...toolCalls.map((call) => chunk(model, [callPart(call)], middle, true)),
      chunk(model, [{ text: '', ...signed(reply.textSignature) }], late, false, 'STOP'),
    ]
  },
  buffered(reply, call) {
    const { counts = defaultCounts, countsAt } = reply
    const usage = countsAt === 'nowhere' ? {} : usageMember(counts, true)
    return body(modelIn(call.path), partsOf(reply), usage, 'STOP')
  },
  refusal: (status, message) => ({
    headers: {},
    body: { error: { code: status, message, status: statusNames[status] ?? 'INTERNAL' } },
  }),
  failure: (message) =>
    sseFrame({ error: { code: 503, message, status: 'UNAVAILABLE' } }, { lineEnd: '\r\n' }).bytes,
  modelOf: ({ path }) => modelIn(path) ?? '',
  reported({ json }) {
    const contents = json.contents as readonly GeminiContent[]
    const config = (json.generationConfig ?? {}) as GeminiConfig
    const tools = (json.tools ?? []) as readonly GeminiTool[]
    return {
      tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
      toolTurns: contents.flatMap(({ parts }, index) => turnsOf(parts, contents[index + 1]?.parts ?? [])),
      images: contents.flatMap(({ parts }) => parts.flatMap(imageIn)),
      schema: config.responseJsonSchema ?? config.responseSchema,
      wantsReasoning: config.thinkingConfig?.includeThoughts === true,
    }
  },
}

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

function modelIn(path: string): string | undefined {
  const found = /^\/v1(?:beta)?\/models\/(.+):(?:generateContent|streamGenerateContent)$/.exec(path)?.[1]
  return found === undefined ? undefined : decodeURIComponent(found)
}

function contentsFault({ contents }: ReceivedCall['json']) {
  if (isSingle(contents)) return undefined
  if (!Array.isArray(contents)) return { status: 400, message: 'contents is not specified' }
  const odd = (contents as readonly GeminiContent[]).some(
    ({ parts }) => !Array.isArray(parts) || parts.length === 0,
  )
  return odd ? { status: 400, message: 'contents.parts must not be empty.' } : undefined
}

/** One content, which the service takes for a list of it. */
function isSingle(contents: unknown): boolean {
  return Array.isArray((contents as { parts?: unknown } | undefined)?.parts)
}

/** Lines end as the service ends them. */
function chunk(
  model: string | undefined,
  parts: readonly object[],
  usage: object,
  delivers: boolean,
  finishReason?: string,
): WireFrame {
  return sseFrame(body(model, parts, usage, finishReason), { delivers, lineEnd: '\r\n' })
}

function body(
  model: string | undefined,
  parts: readonly object[],
  usage: object,
  finishReason?: string,
): object {
  const content = parts.length === 0 ? { role: 'model' } : { parts, role: 'model' }
  const candidate = { content, ...(finishReason !== undefined && { finishReason }), index: 0 }
  return { candidates: [candidate], ...usage, modelVersion: model, responseId: 'mWKKaOu7Hp2vkdUPj8aj' }
}

function partsOf({ reasoning = [], text = [], textSignature, toolCalls = [] }: Scripted): readonly object[] {
  return [
    ...(reasoning.length === 0 ? [] : [{ text: reasoning.join(''), thought: true }]),
    ...(text.length === 0 ? [] : [{ text: text.join(''), ...signed(textSignature) }]),
    ...toolCalls.map(callPart),
  ]
}

/** Gemini sends complete calls. */
function callPart({ id, name, pieces, signature }: ScriptedCall): object {
  const args = JSON.parse(pieces.join(''))
  return {
    functionCall: { id, name, args },
    ...signed(signature),
  }
}

const signed = (signature: string | undefined): object =>
  signature === undefined ? {} : { thoughtSignature: signature }

/** Prompt tokens include cached ones; candidates' tokens exclude reasoning. Early chunks count the prompt alone. */
function usageMember({ input, cacheRead, output, reasoning }: Counts, buffered: boolean): object {
  const prompt = input + cacheRead
  const reply = { candidatesTokenCount: output - reasoning, thoughtsTokenCount: reasoning }
  return {
    usageMetadata: {
      promptTokenCount: prompt,
      ...(buffered && reply),
      totalTokenCount: buffered ? prompt + output : prompt,
      ...(cacheRead > 0 && { cachedContentTokenCount: cacheRead }),
    },
  }
}

interface GeminiContent {
  readonly role?: string
  readonly parts: readonly GeminiPart[]
}

interface GeminiPart {
  readonly functionCall?: { readonly name: string; readonly args: unknown; readonly id?: string }
  readonly functionResponse?: GeminiResponse
  readonly inlineData?: { readonly data: string }
  readonly fileData?: { readonly fileUri: string }
  readonly thoughtSignature?: string
}

interface GeminiResponse {
  readonly id?: string
  readonly name: string
  readonly response: Readonly<Record<string, unknown>>
}

interface GeminiTool {
  readonly functionDeclarations?: readonly { readonly name: string }[]
}

interface GeminiConfig {
  readonly responseSchema?: unknown
  readonly responseJsonSchema?: unknown
  readonly thinkingConfig?: { readonly includeThoughts?: boolean }
}

/** Function responses follow their calls in the next content: by the call's id, or in the order of the calls of a name. */
function turnsOf(parts: readonly GeminiPart[], next: readonly GeminiPart[]): readonly ToolTurn[] {
  const waiting = next.flatMap(({ functionResponse }) => functionResponse ?? [])
  return parts.flatMap(({ functionCall: call, thoughtSignature: signature }) => {
    if (call === undefined) return []
    const at = waiting.findIndex(({ id, name }) => name === call.name && (id ?? call.id) === call.id)
    const [result] = at < 0 ? [] : waiting.splice(at, 1)
    if (result === undefined) return []
    const { content, output } = result.response
    const signed = signature === undefined ? {} : { signature }
    return [{ name: call.name, arguments: call.args, result: String(content ?? output), ...signed }]
  })
}

function imageIn({ inlineData, fileData }: GeminiPart): readonly string[] {
  const found = inlineData?.data ?? fileData?.fileUri
  return found === undefined ? [] : [found]
}
