import { keyHeaders } from '@tollgate/api'
import type { HeaderFields } from '@tollgate/http/server'
import { type KeyText, readKeyText } from '../../accounts/tokens/key-text.ts'

const defaultScheme = 'Bearer '
const insecureSubprotocol = 'openai-insecure-api-key.'

function withoutBearer(header: string): string {
  // The spelling that nearly all clients use.
  if (header.startsWith(defaultScheme)) return header.slice(defaultScheme.length).trim()
  const bare = header.trim()
  if (bare.length < defaultScheme.length) return bare.toLowerCase() === 'bearer' ? '' : bare
  return bare.slice(0, 7).toLowerCase() === 'bearer ' ? bare.slice(7).trim() : bare
}

/** A request's places for a key beside the headers of its dialect. */
interface KeySources {
  /** Its query, where its format allows the key there: Gemini's, and lists of models. */
  readonly query?: string
  /** `x-api-key` goes before `Authorization`: clients of Anthropic's format may send both. */
  readonly apiKeyFirst?: boolean
  /** A field of drawing clients, which say `midjourney-proxy` in the usual place. */
  readonly midjourneySecret?: boolean
}

const defaultSources: KeySources = {}

const midjourneyClient = 'midjourney-proxy'

function rawKey(
  headers: HeaderFields,
  { query = '', apiKeyFirst = false, midjourneySecret = false }: KeySources,
): string {
  const bearer = withoutBearer(headers.get('authorization') ?? '')
  return (
    keyOfSubprotocol(headers) ||
    (apiKeyFirst && fieldOf(headers, keyHeaders.anthropic)) ||
    (midjourneySecret &&
      (bearer === '' || bearer === midjourneyClient) &&
      fieldOf(headers, keyHeaders.midjourney)) ||
    bearer ||
    fieldOf(headers, keyHeaders.anthropic) ||
    fieldOf(headers, keyHeaders.gemini) ||
    fieldOf(headers, keyHeaders.microsoft) ||
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
  sources: KeySources = defaultSources,
): KeyText | undefined {
  const raw = rawKey(headers, sources)
  return raw === '' ? undefined : readKeyText(raw)
}
