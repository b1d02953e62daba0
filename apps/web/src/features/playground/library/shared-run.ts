import { fieldsOf, listOf, parseJson } from '../../../lib/format/json.ts'
import type { Conversation } from '../chat/conversation.ts'
import type { Message, Thread } from '../chat/thread.ts'
import { hashName, hasSharedRun, readConversation } from './read-conversation.ts'

/** Mail and chat programs cut addresses that are longer. */
const maxAddress = 16_000
/** Greatest size of a run that is read, in bytes: a small one that grows without end is an attack. */
const maxBytes = 2_000_000

/**
 * Makes the address that opens a copy of a conversation in the playground of whoever follows it. The run is in the address
 * itself: nothing is stored, and no server sees it. It leaves pictures, sounds and request ids out.
 * @param page address of the playground
 * @returns `undefined` for a run that is too long for an address
 */
export async function sharedRunAddress(
  page: string,
  conversation: Conversation,
): Promise<string | undefined> {
  const { name, createdAt, updatedAt, threads } = conversation
  const run = { name, createdAt, updatedAt, threads: threads.map((thread) => thread && sharedThread(thread)) }
  const packed = await pipe(
    new TextEncoder().encode(JSON.stringify(run)),
    new CompressionStream('deflate-raw'),
  )
  const address = `${page}${hashName}${toBase64Url(packed)}`
  return address.length > maxAddress ? undefined : address
}

/** Reads the run of an address as a conversation of its own; `undefined` where it is none. */
export async function readSharedRun(hash: string, nextId: () => string): Promise<Conversation | undefined> {
  if (!hasSharedRun(hash)) return undefined
  const json = await unpack(hash.slice(hashName.length)).catch(() => undefined)
  const run = fieldsOf(json === undefined ? undefined : parseJson(json))
  const ids = new Map<unknown, string>()
  const ownId = (id: unknown) => {
    const own = ids.get(id) ?? nextId()
    ids.set(id, own)
    return own
  }
  const ownMessage = (message: unknown) => {
    const fields = fieldsOf(message)
    return { ...fields, id: ownId(fields.id), requestId: '', images: [], audio: [] }
  }
  const threads = listOf(run.threads).map((thread) => {
    const { contextStart, messages } = fieldsOf(thread)
    return Array.isArray(messages) && { contextStart, messages: messages.map(ownMessage) }
  })
  return readConversation({ ...run, threads, id: nextId() })
}

function sharedThread({ messages, contextStart }: Thread): object {
  return { contextStart, messages: messages.map(sharedMessage) }
}

function sharedMessage(message: Message): object {
  if (message.role === 'user') return { ...message, images: [] }
  const { requestId: _, images: _images, audio: _audio, ...rest } = message
  return rest
}

async function unpack(text: string): Promise<string> {
  const packed = fromBase64Url(text)
  const bytes = await pipe(packed, new DecompressionStream('deflate-raw'))
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}

function toBase64Url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @throws DOMException for a text that is no base64 */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** @throws Error when more comes out than a run may be */
async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  through: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(through).getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length
    if (size > maxBytes) throw new Error('a run of this size is none of ours')
    pieces.push(read.value)
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}
