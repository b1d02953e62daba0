import { RequestFault } from '../../canonical/codec.ts'
import { embeddingUsage } from '../../embedding-usage.ts'
import { ambiguousKey } from '../../json/ambiguous-key.ts'
import type { RequestText } from '../../json/request-text.ts'
import type { JsonEdits } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../../json/value.ts'
import { invalid, missing } from '../../requests/fields.ts'
import { promptTokensOf, type Usage } from '../../usage.ts'
import { integerAt, member, objectAt, objectsAt, unsupported } from '../fields.ts'
import { modelOf } from './inspect.ts'

/** `embedContent` asks for one vector, `batchEmbedContents` for many. https://ai.google.dev/api/embeddings */
export interface GeminiEmbeddingCall {
  readonly model: string
  /** Each item requests one vector; `path` is its place in the body, empty for the body itself. */
  readonly requests: readonly { readonly request: JsonObject; readonly path: string }[]
}

const decisive = new Set(['model', 'content', 'requests'])
const maxDimensions = 2 ** 20

/** @throws RequestFault that names the field */
export function readGeminiEmbedding(
  { body, scan }: RequestText,
  path: { readonly model?: string; readonly isBatch?: boolean },
): GeminiEmbeddingCall {
  const ambiguous = ambiguousKey(scan, decisive)
  if (ambiguous !== undefined) throw new RequestFault(ambiguous.message, ambiguous.param, ambiguous.code)
  const requests =
    path.isBatch === true
      ? objectsAt(body, 'requests', '').map((request, index) => ({ request, path: `requests[${index}]` }))
      : [{ request: body, path: '' }]
  if (requests.length === 0) throw missing('requests', 'send a list of requests, each with its content')
  for (const each of requests) checkContent(each.request, each.path)
  return { model: modelOf(body, path), requests }
}

function checkContent(request: JsonObject, path: string): void {
  const content = objectAt(request, 'content', path)
  const at = path === '' ? 'content' : `${path}.content`
  if (content === undefined) throw missing(at, 'send the content to embed, with its parts')
  if (objectsAt(content, 'parts', at).length === 0) throw missing(`${at}.parts`, 'send at least one part')
  integerAt(request, 'outputDimensionality', path, 1, maxDimensions)
}

/** The texts that the vectors are of. */
export function textsToEmbed({ requests }: GeminiEmbeddingCall): readonly string[] {
  return requests.map(({ request }) =>
    partsOf(request)
      .map(({ text }) => textOf(text))
      .join('\n'),
  )
}

function partsOf(request: JsonObject): readonly JsonObject[] {
  const parts = objectOf(member(request, 'content')).parts
  return (isObject(parts) ? [parts] : listOf(parts)).map(objectOf)
}

/** The edits for an upstream of this format: requests of a batch, and clients' bodies, name the model once more. */
export function geminiEmbeddingEdits({ body }: RequestText, upstreamModel: string): JsonEdits {
  const named = `models/${upstreamModel.replace(/^models\//, '')}`
  const edits = new Map<string, string | undefined>()
  if (typeof body.model === 'string' && body.model !== named) edits.set('model', JSON.stringify(named))
  const requests = listOf(body.requests).map(objectOf)
  if (requests.some(({ model }) => model !== named))
    edits.set('requests', JSON.stringify(requests.map((request) => ({ ...request, model: named }))))
  return edits
}

/** The same call in OpenAI's words, and what those have no word for. */
interface OpenAiEmbeddingCall {
  readonly body: JsonObject
  readonly dropped: readonly string[]
}

const carried: ReadonlySet<string> = new Set([
  'model',
  'content',
  'outputDimensionality',
  'output_dimensionality',
])

/** @throws RequestFault for anything but text */
export function openAiEmbeddingOf(call: GeminiEmbeddingCall): OpenAiEmbeddingCall {
  for (const { request, path } of call.requests) refuseMedia(request, path)
  const [dimensions, ...others] = new Set(
    call.requests.map(({ request, path }) =>
      integerAt(request, 'outputDimensionality', path, 1, maxDimensions),
    ),
  )
  if (others.length > 0) throw invalid('requests', 'it must ask for one outputDimensionality in all of them')
  const input = textsToEmbed(call)
  const dropped = call.requests.flatMap(({ request }) =>
    Object.keys(request).filter((name) => !carried.has(name) && request[name] != null),
  )
  return {
    body: { model: call.model, input, ...(dimensions !== undefined && { dimensions }) },
    dropped: [...new Set(dropped)],
  }
}

function refuseMedia(request: JsonObject, path: string): void {
  const position = partsOf(request).findIndex(({ text }) => typeof text !== 'string')
  if (position < 0) return
  const at = path === '' ? 'content' : `${path}.content`
  throw unsupported(`${at}.parts[${position}]`, 'the model is served by an upstream that embeds texts alone')
}

/** Vectors in the response of an upstream of this format; `undefined` when it has none. */
export function readGeminiVectors(text: string): { readonly usage: Usage | undefined } | undefined {
  const body = objectOf(parseJson(text))
  const found = isObject(body.embedding) ? [body.embedding] : listOf(body.embeddings)
  if (found.length === 0 || !found.every((item) => listOf(objectOf(item).values).length > 0)) return undefined
  return { usage: embeddingUsage(body) }
}

/**
 * The vectors of OpenAI's response in this format.
 * @returns `undefined` when that has not one vector for each input
 */
export function geminiVectors(
  openAi: string,
  { requests }: GeminiEmbeddingCall,
  isBatch: boolean,
): JsonObject | undefined {
  const items = listOf(objectOf(parseJson(openAi)).data).map(objectOf)
  const ordered = items.toSorted((a, b) => Number(a.index ?? 0) - Number(b.index ?? 0))
  const vectors = ordered.map(({ embedding }) => ({ values: listOf(embedding) }))
  if (vectors.length !== requests.length || vectors.some(({ values }) => values.length === 0))
    return undefined
  return isBatch ? { embeddings: vectors } : { embedding: vectors[0] }
}

/** The response of this format, with the usage that is charged. https://ai.google.dev/api/embeddings */
export function geminiEmbeddingResponse(vectors: JsonObject, charged: Usage): string {
  return JSON.stringify({ ...vectors, usageMetadata: { promptTokenCount: promptTokensOf(charged) } })
}
