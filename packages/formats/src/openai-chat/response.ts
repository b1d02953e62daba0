import { type Delivered, DeliveredText } from '../delivered-text.ts'
import { memberText, scanTopLevel } from '../json-text.ts'
import { isObject, type JsonObject, listOf, objectOf, parseJson, textOf } from '../json-value.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../upstream-error.ts'
import type { Usage } from '../usage.ts'
import { isFailure, readMessage } from './event.ts'
import { findUsage, readUsage } from './usage.ts'

/** A whole answer, read but not changed: the caller gets its bytes as received. */
export type Answer =
  | {
      readonly ok: true
      /** The upstream's count; `undefined` when it sent none that can be charged. */
      readonly usage: Usage | undefined
      /** What the answer delivered, for counting when there is no usage. */
      delivered(): Delivered
    }
  | { readonly ok: false; readonly error: UpstreamErrorInfo }

type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 200 answer to chat or completions. An error in its body, or a body that is no answer, is a failure. */
export function readChatAnswer(body: string, decodeError: DecodeError): Answer {
  const answer = parseJson(body)
  // No choice is no answer, as a stream without an event is none.
  if (!isObject(answer) || isFailure(answer) || listOf(answer.choices).length === 0)
    return failed(body, decodeError)
  return new ReadAnswer(answer)
}

class ReadAnswer {
  readonly ok = true
  readonly usage: Usage | undefined
  readonly #answer: JsonObject

  constructor(answer: JsonObject) {
    this.#answer = answer
    const usage = findUsage(answer)
    this.usage = usage?.outputTokens === 0 && !this.#isEmpty() ? undefined : usage
  }

  delivered(): Delivered {
    return readTexts(this.#answer)
  }

  /** Text but no tokens for it is no count. */
  #isEmpty(): boolean {
    const { text, toolCalls } = this.delivered()
    return text === '' && toolCalls === 0
  }
}

/** Reads a 200 answer to embeddings: megabytes of numbers, of which only the usage is parsed. */
export function readEmbeddingAnswer(body: string, decodeError: DecodeError): Answer {
  const scan = scanTopLevel(body, maxAnswerDepth, Number.POSITIVE_INFINITY)
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

const maxAnswerDepth = 64

function failed(body: string, decodeError: DecodeError): Answer {
  return { ok: false, error: decodeError({ status: 200, headers: {}, body }) }
}

function readTexts(answer: JsonObject): Delivered {
  const delivered = new DeliveredText()
  for (const choice of listOf(answer.choices).filter(isObject)) {
    delivered.append(textOf(choice.text))
    readMessage(objectOf(choice.message), delivered)
  }
  return delivered.read()
}
