import { keyHeaders } from '@tollgate/api'
import type { InboundRequest } from '@tollgate/http/server'
import { meantPath } from '@tollgate/providers'
import type { KeyText } from '../../accounts/tokens/key-text.ts'
import type { DialectName } from '../../gateway/relay/dialects/dialect.ts'
import { presentedKey } from '../callers/presented-key.ts'
import { dialectOf } from './paths.ts'

/** The parts of a request that decide its dialect. */
interface RequestLine {
  readonly path: string
  readonly request: Pick<InboundRequest, 'headers'>
  /** Query with its question mark; empty when there is none. */
  readonly query: string
}

/** Lists of models have one path for the clients of all vendors. */
const modelsPath = /^\/v1\/models(\/|$)/

/** The dialect of the response: by the path, and where several dialects share the path, by the headers. */
export function callerDialect(context: RequestLine): DialectName {
  const { path, request, query } = context
  const reported = dialectOf(path)
  if (reported !== 'openai' || !modelsPath.test(meantPath(path).path)) return reported
  const { headers } = request
  if (headers.get('anthropic-version') !== null) return 'anthropic'
  return headers.get(keyHeaders.gemini) !== null || hasKey(query) ? 'gemini' : 'openai'
}

function hasKey(query: string): boolean {
  return /[?&]key=/.test(query)
}

/** The key from where clients of Midjourney put it; `undefined` without a key. */
export function midjourneyKeyOf({ request }: RequestLine): KeyText | undefined {
  return presentedKey(request.headers, { midjourneySecret: true })
}

/** The key from where clients of the dialect put it; `undefined` when there is none. @step */
export function keyOf({ request, query }: RequestLine, dialect: DialectName): KeyText | undefined {
  switch (dialect) {
    case 'gemini':
      return presentedKey(request.headers, { query })
    case 'anthropic':
      return presentedKey(request.headers, { apiKeyFirst: true })
    default:
      return presentedKey(request.headers)
  }
}
