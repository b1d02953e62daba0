import type { UpstreamErrorInfo, UpstreamFailure } from '../errors/upstream-error.ts'
import { listItems, memberText, scanTopLevel } from '../json/text.ts'
import { isObject, type JsonObject, objectOf, parseJson } from '../json/value.ts'
import type { JsonMode } from '../openai-chat/request.ts'
import { readChatResponse, readEmbeddingResponse } from '../openai-chat/response/decode-response.ts'
import { isFailure } from '../openai-chat/response/error.ts'
import { readUsage } from '../openai-chat/response/usage.ts'
import type { BufferedResponse } from '../streams/response-body.ts'
import { DeliveredText } from '../streams/stream-meter.ts'
import { countOf, type Usage, usageOf } from '../usage.ts'
import { filteredImages } from './images.ts'

/**
 * Usage of images, speech and transcriptions: `input_tokens` and `output_tokens`, split by what they are made of.
 * `undefined` when there is none that can be charged; seconds do not count as tokens.
 * @param output what the response is made of, where the upstream does not split its output
 */
export function readMediaUsage(raw: unknown, output: 'image' | 'audio' | 'text'): Usage | undefined {
  if (!isObject(raw)) return undefined
  const inputTokens = countOf(raw.input_tokens)
  const outputTokens = countOf(raw.output_tokens ?? 0)
  if (inputTokens === undefined || outputTokens === undefined || inputTokens + outputTokens === 0)
    return undefined
  const inputs = objectOf(raw.input_tokens_details ?? raw.input_token_details)
  const outputs = objectOf(raw.output_tokens_details ?? raw.output_token_details)
  const text = countOf(outputs.text_tokens) ?? 0
  const made = (kind: typeof output) =>
    countOf(outputs[`${kind}_tokens`]) ?? (kind === output ? Math.max(0, outputTokens - text) : 0)
  const cached = Math.min(inputTokens, countOf(inputs.cached_tokens) ?? 0)
  return usageOf({
    inputTokens: inputTokens - cached,
    cacheReadTokens: cached,
    outputTokens,
    audioInputTokens: countOf(inputs.audio_tokens) ?? 0,
    imageInputTokens: countOf(inputs.image_tokens) ?? 0,
    imageOutputTokens: made('image'),
    audioOutputTokens: made('audio'),
  })
}

type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo
type ReadResponse = (body: string, decodeError: DecodeError) => BufferedResponse

/** Reads a 2xx response in the form that its mode has at OpenAI. An error in it, or a body of another shape, is a failure. */
export function readModeResponse(mode: JsonMode, body: string, decodeError: DecodeError): BufferedResponse {
  return readers[mode](body, decodeError)
}

/** A response without a single image is a failure: of what its items say, or the vendor's filter. */
const readImages: ReadResponse = (body, decodeError) => {
  const response = readList(body, 'data', ({ usage }) => readMediaUsage(usage, 'image'), decodeError)
  if (!response.ok) return response
  const scan = scanTopLevel(body, maxResponseDepth, Number.POSITIVE_INFINITY)
  const list = scan.ok ? scan.members.get('data') : undefined
  const items = list === undefined ? [] : listItems(memberText(body, list))
  const made = items.filter(holdsImage).length
  if (made > 0) return { ...response, made }
  const refused = filteredImages(items.map(parseJson))
  return refused === undefined ? failed(body, decodeError) : { ok: false, error: refused }
}

/** Returns whether an item has an address or bytes, without parsing the bytes: they are megabytes. */
function holdsImage(item: string): boolean {
  const scan = scanTopLevel(item, maxResponseDepth)
  if (!scan.ok) return false
  return ['b64_json', 'url'].some((name) => {
    const member = scan.members.get(name)
    return member !== undefined && item[member.valueStart] === '"' && member.end - member.valueStart > 2
  })
}

const noUsageReported = () => undefined

const readers: Readonly<Record<JsonMode, ReadResponse>> = {
  chat: readChatResponse,
  completions: readChatResponse,
  embeddings: readEmbeddingResponse,
  moderations: (body, decodeError) => readList(body, 'results', noUsageReported, decodeError),
  rerank: (body, decodeError) => readList(body, 'results', rerankUsage, decodeError),
  images: readImages,
  'image-edits': readImages,
  speech: (body, decodeError) => failed(body, decodeError),
}

/** Reads a list of a response: images are megabytes of base64, of which nothing is parsed except the rest of the response. */
function readList(
  body: string,
  list: string,
  usageIn: (rest: JsonObject) => Usage | undefined,
  decodeError: DecodeError,
): BufferedResponse {
  const scan = scanTopLevel(body, maxResponseDepth, Number.POSITIVE_INFINITY)
  if (!scan.ok) return failed(body, decodeError)
  const rest: Record<string, unknown> = {}
  for (const [key, member] of scan.members) if (key !== list) rest[key] = parseJson(memberText(body, member))
  const found = scan.members.get(list)
  const isList = found !== undefined && memberText(body, found).startsWith('[')
  if (!isList || isFailure({ ...rest, data: [] })) return failed(body, decodeError)
  return { ok: true, usage: usageIn(rest), delivered: () => new DeliveredText().read() }
}

/** Jina's `usage`, which may give the total alone; SiliconFlow's `tokens`, or the same under `meta`. */
export function rerankUsage({ usage, tokens, meta }: JsonObject): Usage | undefined {
  if (isObject(usage)) {
    const prompt = usage.prompt_tokens ?? usage.total_tokens
    return readUsage({ ...usage, prompt_tokens: prompt, completion_tokens: 0 })
  }
  const counted = objectOf(tokens ?? objectOf(meta).tokens)
  const inputTokens = countOf(counted.input_tokens) ?? 0
  const outputTokens = countOf(counted.output_tokens) ?? 0
  return inputTokens === 0 ? undefined : usageOf({ inputTokens, outputTokens })
}

const maxResponseDepth = 64

function failed(body: string, decodeError: DecodeError): BufferedResponse {
  return { ok: false, error: decodeError({ status: 200, headers: {}, body }) }
}
