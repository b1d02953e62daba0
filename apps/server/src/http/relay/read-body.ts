import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { type BufferedBody, ConnectionLostError } from '@tollgate/http'
import { type HeaderFields, type InboundRequest, ShareExceededError } from '@tollgate/http/server'
import { RelayError } from '../../relay/relay-error.ts'

type Decompress = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

/** Encodings a caller may compress a body with. The output is bounded, so a bomb costs no more than a large body. */
const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['x-gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
])

/** The calls of one account hold all the memory for bodies that one account may. */
export function shareExceeded(cause?: unknown): RelayError {
  return new RelayError(
    'too_many_requests',
    'The request bodies of your calls in flight are too large together. Wait until some of them are answered, or send less.',
    { retryAfterSeconds: 1, cause },
  )
}

export function tooLarge(limit: number): RelayError {
  const megabytes = Math.floor(limit / 1024 / 1024)
  return new RelayError(
    'body_too_large',
    `The request body is larger than ${megabytes} MB. Send a smaller one.`,
  )
}

/**
 * The request body as text, at once when it has come. Reads at most `limit` bytes, compressed or not; throws
 * `RelayError` beyond it.
 */
export function readBody(request: BodiedRequest, limit: number): string | Promise<string> {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding !== '' && encoding !== 'identity') {
    return decompressed(request, encoding.trim().toLowerCase(), limit)
  }
  const body = request.buffered(limit)
  return body instanceof Promise ? readLater(body, limit) : textOf(body, limit)
}

/** The part of a request that is read here. */
export interface BodiedRequest extends Pick<InboundRequest, 'buffered'> {
  readonly headers: HeaderFields
}

const utf8 = new TextDecoder()

function textOf(body: BufferedBody, limit: number): string {
  if (body === undefined) throw tooLarge(limit)
  const text = utf8.decode(body)
  if (body.length > largeBytes) giveBack(body)
  return text
}

const largeBytes = 1024 * 1024

/** As of ES2024, which the runtime has. */
type Transferable = ArrayBufferLike & { transfer?(length: number): unknown }

/** Frees a large body at once instead of when it is collected: what becomes of it needs the memory. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  const buffered: Transferable = buffer
  if (buffered.byteLength === byteLength) buffered.transfer?.(0)
}

async function readLater(body: Promise<BufferedBody>, limit: number): Promise<string> {
  return textOf(await body.catch(refuseBroken), limit)
}

export function refuseBroken(cause: unknown): never {
  if (cause instanceof ConnectionLostError)
    throw new RelayError('client_gone', 'The caller hung up.', { cause })
  if (cause instanceof ShareExceededError) throw shareExceeded(cause)
  throw new RelayError('invalid_request', 'The request body is not valid chunked data.', { cause })
}

async function decompressed(request: BodiedRequest, encoding: string, limit: number): Promise<string> {
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
    return utf8.decode(await decompress(body, { maxOutputLength: limit }))
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(limit)
    }
    throw new RelayError('invalid_request', `The request body is not valid ${encoding} data.`, {
      cause: error,
    })
  }
}
