import { type Delivered, DeliveredText } from '../delivered-text.ts'
import { memberText, scanTopLevel } from '../json-text.ts'
import { type JsonObject, objectOf, parseJson } from '../json-value.ts'
import type { BufferedResponse } from '../response-body.ts'
import { deliveredIn, plausibleUsage } from '../response-text.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../upstream-error.ts'
import type { Usage } from '../usage.ts'
import { isResponse, responseOf } from './decode-response.ts'
import { isFailure } from './failure.ts'
import { findUsage, readUsage } from './usage.ts'

type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 200 answer to chat or completions. An error in its body, or a body that is no answer, is a failure. */
export function readChatResponse(body: string, decodeError: DecodeError): BufferedResponse {
  const response = parseJson(body)
  return isResponse(response) ? new ReadableResponse(response) : failed(body, decodeError)
}

class ReadableResponse {
  readonly ok = true
  readonly usage: Usage | undefined
  readonly latestUsage: Usage | undefined
  readonly #response: JsonObject

  constructor(response: JsonObject) {
    this.#response = response
    this.latestUsage = findUsage(response)
    this.usage = plausibleUsage(this.latestUsage, () => this.delivered())
  }

  delivered(): Delivered {
    return deliveredIn(responseOf(this.#response))
  }
}

/** Reads a 200 answer to embeddings: megabytes of numbers, of which only the usage is parsed. */
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
  const raw = objectOf(parseJson(member('usage') ?? 'null'))
  // Jina may give the total alone; there is nothing else in it.
  const usage = readUsage({
    ...raw,
    prompt_tokens: raw.prompt_tokens ?? raw.total_tokens,
    completion_tokens: 0,
  })
  return { ok: true, usage, delivered: () => new DeliveredText().read() }
}

const maxResponseDepth = 64

function failed(body: string, decodeError: DecodeError): BufferedResponse {
  return { ok: false, error: decodeError({ status: 200, headers: {}, body }) }
}
