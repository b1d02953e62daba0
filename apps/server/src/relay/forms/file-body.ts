import type { EncodedTranscription } from '@tollgate/formats'
import type { FormBody } from '../../upstream/call-body.ts'
import type { PartHead } from './form-scanner.ts'
import type { Spool } from './spool.ts'

/** A file as an upstream is to get it that takes no form. It is read while it is sent. */
export function fileBody(encoded: EncodedTranscription, head: PartHead, file: Spool): FormBody {
  if (encoded.kind === 'bytes') {
    const contentType = /^audio\/[\w.+-]+$/.test(head.contentType)
      ? head.contentType
      : 'application/octet-stream'
    return { contentType, length: file.size, pieces: () => file.read() }
  }
  const { body, member } = encoded
  // Its text without the closing brace.
  const start = `${JSON.stringify({ ...body, [member]: '' }).slice(0, -2)}`
  const end = '"}'
  return {
    contentType: 'application/json',
    length: Buffer.byteLength(start) + Math.ceil(file.size / 3) * 4 + end.length,
    async *pieces() {
      yield Buffer.from(start)
      yield* base64Of(file.read())
      yield Buffer.from(end)
    },
  }
}

/** Groups of three bytes become four letters: what is over waits for the next piece. */
async function* base64Of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let over: Uint8Array = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([over, piece])
    const whole = bytes.length - (bytes.length % 3)
    over = bytes.subarray(whole)
    yield Buffer.from(bytes.toString('base64', 0, whole))
  }
  yield Buffer.from(Buffer.from(over).toString('base64'))
}
