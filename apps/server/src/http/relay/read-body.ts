import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { RelayError } from '../../relay/relay-error.ts'

type Decompress = (body: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>

/** Encodings a caller may compress a body with. The output is bounded, so a bomb costs no more than a large body. */
const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['x-gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
])

function tooLarge(limit: number): RelayError {
  const megabytes = Math.floor(limit / 1024 / 1024)
  return new RelayError(
    'body_too_large',
    `The request body is larger than ${megabytes} MB. Send a smaller one.`,
  )
}

/**
 * The request body as text. Reads at most `limit` bytes, compressed or not; throws `RelayError` beyond it.
 * A body whose length is announced and small is read by the runtime in one piece.
 */
export function readBody(request: Request, limit: number): Promise<string> {
  const encoding = request.headers.get('content-encoding')
  const announced = request.headers.get('content-length')
  if (announced !== null && Number(announced) > limit) return Promise.reject(tooLarge(limit))
  if (encoding !== null && encoding !== '' && encoding !== 'identity') {
    return decompressed(request, encoding.trim().toLowerCase(), limit)
  }
  return announced === null ? readUnannounced(request, limit) : request.text()
}

async function readUnannounced(request: Request, limit: number): Promise<string> {
  return new TextDecoder().decode(await readCapped(request, limit))
}

async function decompressed(request: Request, encoding: string, limit: number): Promise<string> {
  const body = await readCapped(request, limit)
  const decompress = decompressors.get(encoding)
  if (decompress === undefined) {
    throw new RelayError(
      'body_encoding_unsupported',
      'This content-encoding is not supported. Send the body as gzip, br, deflate or uncompressed.',
    )
  }
  try {
    return new TextDecoder().decode(await decompress(body, { maxOutputLength: limit }))
  } catch (error) {
    if (error instanceof RangeError || (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(limit)
    }
    throw new RelayError('invalid_request', `The request body is not valid ${encoding} data.`, {
      cause: error,
    })
  }
}

async function readCapped(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
