import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type BufferedBody, ConnectionLostError } from '@tollgate/http'
import {
  type AccountBodyBudgets,
  type HeaderFields,
  type InboundRequest,
  ShareExceededError,
} from '@tollgate/http/server'
import { type CallText, callText, textAlone } from '../../gateway/relay/bodies/call-text.ts'
import { FormFault, FormScanner, formBoundary } from '../../gateway/relay/forms/form-scanner.ts'
import { FormCollector, type ReceivedForm } from '../../gateway/relay/forms/received-form.ts'
import { RelayError } from '../../gateway/relay/relay-error.ts'

interface CallBodyDependencies {
  /** Largest body that is held in memory. */
  readonly limitBytes: number
  /** Largest form, whose files are not held in memory. */
  readonly formLimitBytes: number
  /** Longest silence of an admitted caller in the middle of its body. */
  readonly silenceMs: number
  readonly shares: AccountBodyBudgets
}

/** Reads what callers send, each account within its share of the memory for bodies. */
export interface CallBodies {
  /** The body, at once when it has come. Throws `RelayError`. */
  body(request: InboundRequest, account: number): CallText | Promise<CallText>
  /** The same as text. */
  text(request: InboundRequest, account: number): Promise<string>
  /** The form, which its receiver must discard. Rejects with `RelayError`. */
  form(request: InboundRequest, account: number): Promise<ReceivedForm>
}

/** The account of bodies that come without a key. */
export const noAccount = 0
/** A buffered body up to this size is not counted: it takes little memory for a short time. */
const smallBytes = 64 * 1024

export function createCallBodies(deps: CallBodyDependencies): CallBodies {
  const body: CallBodies['body'] = (request, account) => {
    request.allowSilence(deps.silenceMs)
    const { framing } = request.headers
    if (!request.isComplete || framing === 'chunked' || framing > smallBytes)
      holdWithinShare(request, deps.shares.enter(account), framing === 'chunked' ? 0 : framing)
    return readBody(request, deps.limitBytes)
  }
  return {
    body,
    text: async (request, account) => textAlone(await body(request, account)),
    form(request, account) {
      request.allowSilence(deps.silenceMs)
      holdWithinShare(request, deps.shares.enter(account), 0)
      return readForm(request, deps.formLimitBytes)
    },
  }
}

/** Throws `RelayError` when the account's share has no room for the bytes received, or for those announced. */
function holdWithinShare(
  request: InboundRequest,
  share: ReturnType<AccountBodyBudgets['enter']>,
  knownBytes: number,
): void {
  const hasRoom = share.hasRoomFor(knownBytes)
  if (!request.countAgainst(share) || !hasRoom) throw shareExceeded()
}

type Decompress = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

/** Encodings a caller may compress a body with. The output is bounded, so a bomb costs no more than a large body. */
const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['x-gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
])

/** The error when the calls of one account use up its share of the memory for bodies. */
function shareExceeded(cause?: unknown): RelayError {
  return new RelayError(
    'too_many_requests',
    'The request bodies of your calls in flight are too large together. Wait until some of them have ended, or send less.',
    { retryAfterSeconds: 1, cause },
  )
}

function tooLarge(limit: number): RelayError {
  const megabytes = Math.floor(limit / 1024 / 1024)
  return new RelayError(
    'body_too_large',
    `The request body is larger than ${megabytes} MB. Send a smaller one.`,
  )
}

/**
 * The request body, at once when it has come. Reads at most `limit` bytes, compressed or not; throws
 * `RelayError` beyond it.
 * @step
 */
export function readBody(request: BodiedRequest, limit: number): CallText | Promise<CallText> {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding !== '' && encoding !== 'identity') {
    return decompressed(request, encoding.trim().toLowerCase(), limit)
  }
  const body = request.buffered(limit)
  return body instanceof Promise ? readLater(body, limit) : callBody(body, limit)
}

/** The part of a request that is read here. */
export interface BodiedRequest extends Pick<InboundRequest, 'buffered'> {
  readonly headers: HeaderFields
}

function callBody(body: BufferedBody, limit: number): CallText {
  if (body === undefined) throw tooLarge(limit)
  return callText(body)
}

async function readLater(body: Promise<BufferedBody>, limit: number): Promise<CallText> {
  return callBody(await body.catch(refuseBroken), limit)
}

function refuseBroken(cause: unknown): never {
  if (cause instanceof ConnectionLostError)
    throw new RelayError('client_gone', 'The caller hung up.', { cause })
  if (cause instanceof ShareExceededError) throw shareExceeded(cause)
  throw new RelayError('invalid_request', 'The request body is not valid chunked data.', { cause })
}

async function decompressed(request: BodiedRequest, encoding: string, limit: number): Promise<CallText> {
  const body = await Promise.resolve(request.buffered(limit)).catch(refuseBroken)
  if (body === undefined) throw tooLarge(limit)
  const decompress = decompressors.get(encoding)
  if (decompress === undefined) {
    throw new RelayError(
      'body_encoding_unsupported',
      'This content-encoding is not supported. Send the body as gzip, br, deflate or uncompressed.',
    )
  }
  try {
    return callText(await decompress(body, { maxOutputLength: limit }))
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(limit)
    }
    throw new RelayError('invalid_request', `The request body is not valid ${encoding} data.`, {
      cause: error,
    })
  }
}

/**
 * Reads the form of a request, at most `limit` bytes. Large files go to temporary files, so the receiver must discard the
 * form. Throws `RelayError`, and leaves no files behind then.
 */
async function readForm(request: InboundRequest, limit: number): Promise<ReceivedForm> {
  refuseUnreadable(request, limit)
  const form = new FormCollector()
  try {
    const scanner = new FormScanner(formBoundary(request.headers.get('content-type') ?? ''), form)
    // Of what was read: the rest is in temporary files.
    let heldBytes = 0
    for (let size = 0; ; ) {
      const { done, value } = await request.read().catch(refuseBroken)
      if (done) break
      size += value.length
      if (size > limit) throw refuseLarge(request, limit)
      scanner.push(value)
      await form.flush()
      const receivedBytes = heldBytes + value.length
      heldBytes = form.bytesInMemory
      request.releaseBytes(receivedBytes - heldBytes)
    }
    scanner.end()
    await form.finish()
    return form
  } catch (error) {
    await form.discard()
    if (error instanceof FormFault)
      throw new RelayError('invalid_request', error.message, { upstreamCode: 'invalid_form', cause: error })
    throw error
  }
}

function refuseUnreadable(request: InboundRequest, limit: number): void {
  const encoding = request.headers.get('content-encoding') ?? ''
  if (encoding !== '' && encoding !== 'identity')
    throw new RelayError('body_encoding_unsupported', 'A form must not be compressed. Send it as it is.')
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw refuseLarge(request, limit)
}

/** Refuses a large body, of which the rest is not read. */
function refuseLarge(request: InboundRequest, limit: number): RelayError {
  Promise.resolve(request.buffered(0)).catch(() => undefined)
  return tooLarge(limit)
}
