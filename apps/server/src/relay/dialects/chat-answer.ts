import {
  type AnsweredCall,
  believableUsage,
  type ChatAnswer,
  type ChatCodec,
  type Delivered,
  deliveredIn,
  parseJson,
  type Usage,
} from '@tollgate/formats'
import type { WholeReading } from './dialect.ts'

/** An answer in the caller's own format: its bytes pass as received. */
export function readNativeAnswer(text: string, bytes: Uint8Array, codec: ChatCodec): WholeReading {
  const reading = codec.decodeAnswer(parseJson(text))
  return reading.ok ? new CanonicalReading(reading.answer, bytes) : reading
}

/** An answer of another format, as the caller's own says it. */
export function readConvertedAnswer(
  text: string,
  from: ChatCodec,
  to: ChatCodec,
  call: AnsweredCall,
): WholeReading {
  const reading = from.decodeAnswer(parseJson(text))
  if (!reading.ok) return reading
  return new CanonicalReading(reading.answer, JSON.stringify(to.encodeAnswer(reading.answer, call)))
}

class CanonicalReading {
  readonly ok = true
  readonly body: Uint8Array | string
  readonly #answer: ChatAnswer

  constructor(answer: ChatAnswer, body: Uint8Array | string) {
    this.#answer = answer
    this.body = body
  }

  get usage(): Usage | undefined {
    return believableUsage(this.#answer.usage, () => this.delivered())
  }

  delivered(): Delivered {
    return deliveredIn(this.#answer)
  }
}
