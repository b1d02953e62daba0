import type { HttpExchange } from '@tollgate/http/client'
import { readSmall } from '../query.ts'
import type { Send } from '../transport.ts'
import { TokenExchangeError } from './token-exchange.ts'

const limits = { timeoutMs: 15_000, maxBytes: 256 * 1024 }

/** Asks for a token. Throws `TokenExchangeError` for an answer that is none, and whatever sending throws. */
export async function askToken(send: () => HttpExchange | Promise<Send>): Promise<unknown> {
  const { status, body } = await readSmall(send, limits)
  if (status < 200 || status > 299)
    throw new TokenExchangeError(`the upstream answered ${status} to the exchange of a key`)
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new TokenExchangeError('the upstream answered no JSON to the exchange of a key', { cause })
  }
}
