import type { TokenLogprob } from '../canonical/response.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeUtf8 } from '../utf8.ts'

/** Unlike Chat Completions, this format has no token without bytes. */
export function encodeLogprob({ token, logprob, top }: TokenLogprob): JsonObject {
  return { ...weighed({ token, logprob }), top_logprobs: top.map(weighed) }
}

function weighed({ token, logprob }: Pick<TokenLogprob, 'token' | 'logprob'>): JsonObject {
  return { token, logprob, bytes: [...encodeUtf8(token)] }
}
