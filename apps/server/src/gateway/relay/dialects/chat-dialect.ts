import {
  ambiguousKey,
  type ChatCodec,
  costlyFields,
  outlineOf,
  parseJson,
  RequestFault,
  requestToCount,
  scanTopLevel,
} from '@tollgate/formats'
import type { CallMode } from '@tollgate/providers'
import { restored } from '../../../upstream/request-body/restored-text.ts'
import { type CallText, textAlone } from '../bodies/call-text.ts'
import { type NativeText, parseText } from '../bodies/parsed-text.ts'
import { readBytes } from '../bodies/received-bytes.ts'
import { RelayError } from '../relay-error.ts'
import { callPath } from './call-path.ts'
import { ChatCallRequest } from './chat-request.ts'
import type { CallPath, CallRequest, Dialect, DialectName, TokenCounting } from './dialect.ts'
import { TokenCountRequest } from './token-count-request.ts'

export interface ChatDialectOptions {
  readonly counting: TokenCounting
  readonly maxJsonDepth: number
  /** Largest event of a stream that is accepted from an upstream. */
  readonly maxFrameBytes: number
}

/** A public chat format, whatever its upstreams speak: bodies pass as received to those that speak it, too. */
export function createChatDialect(name: DialectName, codec: ChatCodec, options: ChatDialectOptions): Dialect {
  return {
    read: (mode, body, received) => ({
      request: readChat(codec, mode, body, callPath(name, received), options),
    }),
    ...errorsOf(codec),
  }
}

/** Encoders of errors in a chat format. */
export function errorsOf(codec: ChatCodec): Pick<Dialect, 'errorBody' | 'errorEvents'> {
  return {
    errorBody: (error) => JSON.stringify(codec.encodeError(error)),
    errorEvents: (error, call) => codec.encodeStreamError(error, call),
  }
}

const noHeaders = {}

/**
 * Reads a chat request, or one that asks for nothing but the size of its prompt.
 * @throws RelayError (4xx)
 * @step
 */
export function readChat(
  codec: ChatCodec,
  mode: CallMode,
  body: CallText,
  path: CallPath,
  options: ChatDialectOptions,
): CallRequest {
  if (mode !== 'count-tokens') return understood(codec, body, path, options, ChatCallRequest)
  const text = requestToCount(codec.format, textAlone(body), options.maxJsonDepth)
  return understood(codec, { text }, path, options, TokenCountRequest)
}

function understood(
  codec: ChatCodec,
  body: CallText,
  path: CallPath,
  options: ChatDialectOptions,
  Request: typeof ChatCallRequest,
): CallRequest {
  const { maxJsonDepth } = options
  const received = readBytes(body, maxJsonDepth) ?? readJson(textAlone(body), maxJsonDepth)
  const ambiguous = ambiguousKey((received.received ?? received).scan, codec.decisiveFields)
  if (ambiguous !== undefined) {
    const { message, param, code } = ambiguous
    throw new RelayError('invalid_request', message, { param, upstreamCode: code })
  }
  try {
    const native = inOwnWords(codec, received)
    const outline = outlineOf(native)
    const facts = codec.inspectRequest(outline, path)
    const costly = costlyFields(codec.format, outline, path.headers ?? noHeaders)
    return new Request(codec, native, facts, path, options, costly)
  } catch (error) {
    if (error instanceof RequestFault) throw refusalOf(error)
    throw error
  }
}

/** The body in the words of its own format: see `ChatCodec.inOwnWords`. */
function inOwnWords(codec: ChatCodec, received: NativeText): NativeText {
  const body = codec.inOwnWords?.(outlineOf(received), () => received.body)
  if (body === undefined) return received
  const text = JSON.stringify(body)
  const { restore } = received
  return received.withText(restore === undefined ? text : restored(text, restore), body)
}

/** The caller's to change. */
export function refusalOf({ message, param, code }: RequestFault): RelayError {
  return new RelayError('invalid_request', message, { param, upstreamCode: code })
}

/** Depth is judged before the parser sees the text: nesting is what an attacker would feed it. */
export function readJson(text: string, maxDepth: number): NativeText {
  const scan = scanTopLevel(text, maxDepth)
  if (!scan.ok) throw scan.reason === 'not-object' ? notAnObject(text) : tooMuch(scan.reason, maxDepth)
  const parsed = parseText(text, scan)
  if (parsed === undefined || parsed === 'not-object') throw notAnObject(text)
  return parsed
}

function notAnObject(text: string): RelayError {
  const message =
    parseJson(text) === undefined
      ? 'the request body is not valid JSON: send a JSON object with Content-Type application/json'
      : 'the request body must be a JSON object'
  return new RelayError('invalid_request', message, { upstreamCode: 'invalid_json' })
}

function tooMuch(reason: 'too-deep' | 'too-many-members', maxDepth: number): RelayError {
  const message =
    reason === 'too-deep'
      ? `the request body nests deeper than ${maxDepth} levels: send a flatter one`
      : 'the request body has too many parts: send only the fields of the API, and fewer items in them'
  return new RelayError('invalid_request', message, { upstreamCode: 'invalid_json' })
}
