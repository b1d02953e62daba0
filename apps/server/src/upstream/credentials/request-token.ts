import type { HttpExchange } from '@tollgate/http/client'
import { readSmall } from '../query.ts'
import type { Send } from '../transport.ts'
import { TokenExchangeError } from './token-exchange.ts'

const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Asks for a token. Throws `TokenExchangeError` for a refusal, and whatever sending throws. */
export async function requestToken(send: () => HttpExchange | Promise<Send>): Promise<string> {
  const { status, headers, body } = await readSmall(send, limits)
  if (status < 200 || status > 299) throw new TokenExchangeError({ status, headers, body })
  return body
}
