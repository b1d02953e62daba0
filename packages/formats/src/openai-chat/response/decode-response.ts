import type { DecodedResponse } from '../../canonical/codec.ts'
import type { ChatResponse } from '../../canonical/response.ts'
import { embeddingUsage } from '../../embedding-usage.ts'
import { decodeErrorBody } from '../../errors/decode-error.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../../errors/upstream-error.ts'
import { memberText, scanTopLevel } from '../../json/text.ts'
import { isObject, type JsonObject, listOf, parseJson } from '../../json/value.ts'
import { collectResponse } from '../../streams/collect-response.ts'
import type { BufferedResponse } from '../../streams/response-body.ts'
import { deliveredIn, isCountedAlone, plausibleUsage } from '../../streams/response-body.ts'
import { type Delivered, DeliveredText } from '../../streams/stream-meter.ts'
import type { Usage } from '../../usage.ts'
import { isFailedChunk, newChunkState, readChunk } from './decode-stream.ts'
import { isFailure } from './error.ts'
import { executedIn, findUsage, noTools } from './usage.ts'

/** Reads a buffered response. An error in its body, or a body of another shape, is a failure. */
export function decodeResponse(body: unknown): DecodedResponse {
  if (isResponse(body)) return { ok: true, response: responseOf(body) }
  const text = JSON.stringify(body) ?? ''
  return { ok: false, error: decodeErrorBody({ status: 200, headers: {}, body: text }) }
}

/** Recognises a response: a body without a choice is none, as a stream without an event is none. */
function isResponse(body: unknown): body is JsonObject {
  return isObject(body) && !isFailedChunk(body) && listOf(body.choices).length > 0
}

function responseOf(body: JsonObject): ChatResponse {
  return collectResponse(readChunk(newChunkState(), body))
}

type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 200 response of chat or completions. An error in its body, or a body of another shape, is a failure. */
export function readChatResponse(
  body: string,
  decodeError: DecodeError,
  parse = parseJson,
): BufferedResponse {
  const response = parse(body)
  return isResponse(response) ? new ReadableResponse(response) : failed(body, decodeError)
}

/**
 * Reads the same of the outline of a response (`contentOutline`). `undefined` where the response itself decides: a failure, tools
 * that ran, and a count that depends on what was delivered.
 * @param delivered reads the response itself
 */
export function readChatOutline(outline: unknown, delivered: () => Delivered): BufferedResponse | undefined {
  if (!isResponse(outline) || executedIn(noTools, outline).size > 0) return undefined
  const usage = findUsage(outline, noTools)
  return isCountedAlone(usage) ? { ok: true, usage, latestUsage: usage, delivered } : undefined
}

class ReadableResponse {
  readonly ok = true
  readonly usage: Usage | undefined
  readonly latestUsage: Usage | undefined
  readonly #response: JsonObject
  #delivered: Delivered | undefined

  constructor(response: JsonObject) {
    this.#response = response
    this.latestUsage = findUsage(response)
    this.usage = plausibleUsage(this.latestUsage, () => this.delivered())
  }

  delivered(): Delivered {
    this.#delivered ??= deliveredIn(responseOf(withoutLogprobs(this.#response)))
    return this.#delivered
  }
}

/** Leaves out the probabilities of tokens: they are many times as long as their text, and none of it. */
function withoutLogprobs(response: JsonObject): JsonObject {
  const choices = listOf(response.choices).map((choice) =>
    isObject(choice) && isObject(choice.logprobs) ? { ...choice, logprobs: null } : choice,
  )
  return { ...response, choices }
}

/** Members beside the vectors that may hold a count, in this form and in what gateways make of others. */
const countMembers = ['usage', 'usageMetadata', 'meta']

/** Reads a 200 response of embeddings: megabytes of numbers, of which it parses the usage alone. */
export function readEmbeddingResponse(body: string, decodeError: DecodeError): BufferedResponse {
  const scan = scanTopLevel(body, maxResponseDepth, Number.POSITIVE_INFINITY)
  const member = (key: string) => {
    const found = scan.ok ? scan.members.get(key) : undefined
    return found === undefined ? undefined : memberText(body, found)
  }
  if (
    !member('data')?.startsWith('[') ||
    isFailure({ data: [], error: parseJson(member('error') ?? 'null') })
  ) {
    return failed(body, decodeError)
  }
  const counts = countMembers.map((name) => [name, parseJson(member(name) ?? 'null')])
  const usage = embeddingUsage(Object.fromEntries(counts))
  return { ok: true, usage, delivered: () => new DeliveredText().read() }
}

const maxResponseDepth = 64

function failed(body: string, decodeError: DecodeError): BufferedResponse {
  return { ok: false, error: decodeError({ status: 200, headers: {}, body }) }
}
