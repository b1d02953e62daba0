import { cutAtMember, type JsonPiece } from '../../../lib/json-member.ts'

/**
 * The bytes that a JSON text holds in base64 under a name, decoded as they come and read no faster than they are pulled; the
 * first ones where there are several. `undefined` for a text that holds none. What is cut off fails.
 */
export async function openBase64(
  json: ReadableStream<Uint8Array>,
  name: string,
): Promise<ReadableStream<Uint8Array> | undefined> {
  const reader = json.getReader()
  const pieces = cutAtMember(
    chunksOf(() => reader.read()),
    name,
  )
  let first = (await pieces.next()).value
  while (first?.isInside === false) first = (await pieces.next()).value
  if (first === undefined) return undefined
  const bytes = decoded(first, pieces)
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value } = await bytes.next()
        if (value !== undefined) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      await reader.cancel().catch(() => undefined)
    },
    cancel: () => reader.cancel(),
  })
}

async function* chunksOf(read: () => Promise<{ readonly value?: Uint8Array | undefined }>) {
  for (let { value } = await read(); value !== undefined; { value } = await read()) yield value
}

async function* decoded(
  first: JsonPiece,
  pieces: AsyncIterator<JsonPiece, undefined>,
): AsyncGenerator<Uint8Array, undefined> {
  const decoder = new Base64Decoder()
  let piece: JsonPiece | undefined = first
  for (; piece?.isInside; piece = (await pieces.next()).value) {
    const bytes = decoder.decode(piece.bytes)
    if (bytes.length > 0) yield bytes
  }
  if (piece === undefined) throw new Error('the bytes end in the middle')
  const rest = decoder.end()
  if (rest.length > 0) yield rest
}

/** An escape that goes on in the next piece. */
const openEscape = /\\(?:u[\dA-Fa-f]{0,3})?$/

/** Decodes base64 in pieces of any length, with the escapes of JSON: some writers escape `/` and `=`. */
class Base64Decoder {
  /** Text that is not decoded yet: less than four characters, or an open escape. */
  #text = ''

  decode(bytes: Uint8Array): Uint8Array {
    const text = this.#text + Buffer.from(bytes).toString('latin1')
    const open = openEscape.exec(text)?.[0] ?? ''
    const plain = unescaped(text.slice(0, text.length - open.length))
    const end = plain.length - (plain.length % 4)
    this.#text = plain.slice(end) + open
    return Buffer.from(plain.slice(0, end), 'base64')
  }

  end(): Uint8Array {
    return Buffer.from(this.#text, 'base64')
  }
}

/** @throws SyntaxError for what no JSON text holds */
function unescaped(text: string): string {
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)).replace(/\s+/g, '') : text
}
