import { keyPrefix, tokenKeyLength } from '@tollgate/api'
import type { HeaderFields, InboundRequest } from '@tollgate/http/server'
import type { DialectName } from '../../gateway/relay/dialects/dialect.ts'
import { dialectOf } from './paths.ts'

const usualScheme = 'Bearer '
const insecureSubprotocol = 'openai-insecure-api-key.'

/** A key as a caller presented it: the bare characters, and the channel an administrator pinned behind a dash. */
interface PresentedKey {
  readonly key: string
  /** Text after the dash, unchecked; `undefined` when there was none. */
  readonly pinnedChannel: string | undefined
}

function withoutBearer(header: string): string {
  // The spelling that nearly all clients use.
  if (header.startsWith(usualScheme)) return header.slice(usualScheme.length).trim()
  const bare = header.trim()
  if (bare.length < usualScheme.length) return bare.toLowerCase() === 'bearer' ? '' : bare
  return bare.slice(0, 7).toLowerCase() === 'bearer ' ? bare.slice(7).trim() : bare
}

/** Where a request may put its key beside the usual headers. */
interface KeyPlaces {
  /** Its query, where its format allows the key there: Gemini's, and lists of models. */
  readonly query?: string
  /** `x-api-key` goes before `Authorization`: clients of Anthropic's format may send both. */
  readonly apiKeyFirst?: boolean
  /** A field of drawing clients, which say `midjourney-proxy` in the usual place. */
  readonly midjourneySecret?: boolean
}

const usualPlaces: KeyPlaces = {}

const midjourneyClient = 'midjourney-proxy'

function rawKey(
  headers: HeaderFields,
  { query = '', apiKeyFirst = false, midjourneySecret = false }: KeyPlaces,
): string {
  const bearer = withoutBearer(headers.get('authorization') ?? '')
  return (
    keyOfSubprotocol(headers) ||
    (apiKeyFirst && fieldOf(headers, 'x-api-key')) ||
    (midjourneySecret &&
      (bearer === '' || bearer === midjourneyClient) &&
      fieldOf(headers, 'mj-api-secret')) ||
    bearer ||
    fieldOf(headers, 'x-api-key') ||
    fieldOf(headers, 'x-goog-api-key') ||
    (query === '' ? '' : (new URLSearchParams(query).get('key') ?? '').trim())
  )
}

function fieldOf(headers: HeaderFields, name: string): string {
  return (headers.get(name) ?? '').trim()
}

/** Browsers cannot set headers of a WebSocket, but for the protocols that they offer. */
function keyOfSubprotocol(headers: HeaderFields): string {
  const offered = headers.get('sec-websocket-protocol')
  if (offered === null) return ''
  const insecure = offered.split(',').find((part) => part.trim().startsWith(insecureSubprotocol))
  return insecure === undefined ? '' : insecure.trim().slice(insecureSubprotocol.length)
}

/** Reads the key from the places clients put it; `undefined` when there is none. */
export function presentedKey(
  headers: HeaderFields,
  places: KeyPlaces = usualPlaces,
): PresentedKey | undefined {
  const raw = rawKey(headers, places)
  if (raw === '') return undefined
  const bare = raw.startsWith(keyPrefix) ? raw.slice(keyPrefix.length) : raw
  const dash = bare.indexOf('-')
  // Keys that were imported may have dashes of their own.
  if (dash !== tokenKeyLength) return { key: bare, pinnedChannel: undefined }
  return { key: bare.slice(0, dash), pinnedChannel: bare.slice(dash + 1) }
}

/** The parts of a request that decide its dialect. */
interface RequestLine {
  readonly path: string
  readonly request: Pick<InboundRequest, 'headers'>
  /** With its question mark; empty when there is none. */
  readonly query: string
}

/** Lists of models have one path for the clients of all vendors. */
const modelsPath = /^\/v1\/models(\/|$)/

/** The dialect of the response: by the path, and where several dialects share the path, by the headers. */
export function callerDialect(context: RequestLine): DialectName {
  const { path, request, query } = context
  const told = dialectOf(path)
  if (told !== 'openai' || !modelsPath.test(path)) return told
  const { headers } = request
  if (headers.get('anthropic-version') !== null) return 'anthropic'
  return headers.get('x-goog-api-key') !== null || hasKey(query) ? 'gemini' : 'openai'
}

function hasKey(query: string): boolean {
  return /[?&]key=/.test(query)
}

/** The key from where clients of Midjourney put it; `undefined` without a key. */
export function midjourneyKeyOf({ request }: RequestLine): PresentedKey | undefined {
  return presentedKey(request.headers, { midjourneySecret: true })
}

/** The key from where clients of the dialect put it; `undefined` when there is none. @step */
export function keyOf({ request, query }: RequestLine, dialect: DialectName): PresentedKey | undefined {
  switch (dialect) {
    case 'gemini':
      return presentedKey(request.headers, { query })
    case 'anthropic':
      return presentedKey(request.headers, { apiKeyFirst: true })
    default:
      return presentedKey(request.headers)
  }
}
