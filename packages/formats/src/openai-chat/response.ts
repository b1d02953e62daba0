import type { Answer } from '../answer-body.ts'
import { believableUsage, deliveredIn } from '../answer-text.ts'
import { type Delivered, DeliveredText } from '../delivered-text.ts'
import { memberText, scanTopLevel } from '../json-text.ts'
import { type JsonObject, objectOf, parseJson } from '../json-value.ts'
import type { UpstreamErrorInfo, UpstreamFailure } from '../upstream-error.ts'
import type { Usage } from '../usage.ts'
import { answerOf, isAnswer } from './decode-answer.ts'
import { isFailure } from './failure.ts'
import { findUsage, readUsage } from './usage.ts'

type DecodeError = (failure: UpstreamFailure) => UpstreamErrorInfo

/** Reads a 200 answer to chat or completions. An error in its body, or a body that is no answer, is a failure. */
export function readChatAnswer(body: string, decodeError: DecodeError): Answer {
  const answer = parseJson(body)
  return isAnswer(answer) ? new ReadAnswer(answer) : failed(body, decodeError)
}

class ReadAnswer {
  readonly ok = true
  readonly usage: Usage | undefined
  readonly latestUsage: Usage | undefined
  readonly #answer: JsonObject

  constructor(answer: JsonObject) {
    this.#answer = answer
    this.latestUsage = findUsage(answer)
    this.usage = believableUsage(this.latestUsage, () => this.delivered())
  }

  delivered(): Delivered {
    return deliveredIn(answerOf(this.#answer))
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
