import {
  type ChatCodec,
  decodeTokenCount,
  encodeTokenCount,
  type RequestFacts,
  usageOf,
  type WireResponse,
} from '@tollgate/formats'
import type { Operation } from '@tollgate/providers'
import { passesThrough } from '../../../upstream/call-body.ts'
import type { NativeText } from '../bodies/parsed-text.ts'
import { ChatCallRequest } from './chat-request.ts'
import type { CallPath, ResponseReading } from './dialect.ts'

const utf8 = new TextDecoder()
/** The empty delivery of a count. */
export const nothingDelivered = { text: '', overflowBytes: 0, toolCalls: 0 } as const

/** A chat request that only counts the tokens of its prompt. */
export class TokenCountRequest extends ChatCallRequest {
  constructor(
    codec: ChatCodec,
    native: NativeText,
    facts: RequestFacts,
    path: CallPath,
    options: ConstructorParameters<typeof ChatCallRequest>[4],
  ) {
    super(codec, native, { ...facts, stream: false, maxOutputTokens: 0 }, path, options)
  }

  /** Nothing of it is used. */
  override roughPromptTokens(): number {
    return 0
  }

  /** The response of the format's own vendor unchanged; of any other upstream only its count. */
  override readResponse({ bytes }: WireResponse, operation: Operation): ResponseReading {
    const body = utf8.decode(bytes)
    const inputTokens = decodeTokenCount(operation.format, body)
    if (inputTokens === undefined)
      return { ok: false, error: operation.decodeError({ status: 200, headers: {}, body }) }
    return {
      ok: true,
      usage: usageOf({ inputTokens }),
      delivered: () => nothingDelivered,
      encode: ({ inputTokens: tokens }) =>
        passesThrough(this, operation) ? bytes : encodeTokenCount(this.format, tokens),
    }
  }
}
