import {
  type ChatPart,
  type ChatRequest,
  collectResponse,
  type DecodedResponse,
  decodeErrorBody,
  type EncodedRequest,
  type EncodeTarget,
  isObject,
  type JsonObject,
  listOf,
  numberOf,
  objectOf,
  parseJson,
  RequestFault,
  type StreamDecoder,
  textOf,
  type UpstreamErrorInfo,
  type UpstreamFailure,
  unsupported,
} from '@tollgate/formats'
import { droppedByApplication, textOfMessage } from '../../chat/application-request.ts'
import { chatOperation, defineProvider } from '../../define-provider.ts'
import type { Operation } from '../../provider.ts'

interface LibraryState {
  hasStarted: boolean
  /** The sources of the response: any event may carry them, any number of times. */
  documents: readonly unknown[]
}

const decodeStream: StreamDecoder<LibraryState> = {
  start: () => ({ hasStarted: false, documents: [] }),
  step(state, { data }) {
    if (data.trim() === '[DONE]') return []
    const event = parseJson(data)
    if (!isObject(event) || isFailure(event)) return [{ type: 'error', error: failureIn(data) }]
    return readEvent(state, event)
  },
  finish: () => [],
}

function decodeResponse(body: unknown): DecodedResponse {
  if (!isObject(body) || isFailure(body) || typeof body.answer !== 'string')
    return { ok: false, error: failureIn(JSON.stringify(body) ?? '') }
  const buffered = { content: body.answer, documents: body.documents, finish: true }
  return { ok: true, response: collectResponse(readEvent(decodeStream.start(), buffered)) }
}

/** Reads an error: refusals have a code of their own beside the message; other fields are as everywhere. */
function decodeError(failure: UpstreamFailure): UpstreamErrorInfo {
  const body = objectOf(parseJson(failure.body))
  const { errCode } = body
  if (typeof errCode !== 'number' || errCode === 0) return decodeErrorBody(failure)
  const own = { message: body.message, code: String(errCode), type: String(errCode) }
  return decodeErrorBody({ ...failure, body: JSON.stringify(own) })
}

function failureIn(body: string): UpstreamErrorInfo {
  return decodeError({ status: 200, headers: {}, body })
}

function isFailure({ success, errCode }: JsonObject): boolean {
  return success === false || (numberOf(errCode) ?? 0) !== 0
}

function readEvent(state: LibraryState, event: JsonObject): readonly ChatPart[] {
  const parts: ChatPart[] = []
  if (!state.hasStarted) parts.push({ type: 'start', id: '', model: textOf(event.model), createdAt: 0 })
  state.hasStarted = true
  const documents = listOf(event.documents)
  if (documents.length > 0) state.documents = documents
  push(parts, textOf(event.content))
  if (event.finish !== true) return parts
  push(parts, references(state.documents))
  parts.push({ type: 'stop', candidate: 0, stop: { reason: 'stop' } }, { type: 'end' })
  return parts
}

function push(parts: ChatPart[], text: string): void {
  if (text !== '') parts.push({ type: 'text-delta', candidate: 0, text })
}

/** The documents as a numbered list under a heading. */
function references(documents: readonly unknown[]): string {
  const links = documents
    .map(objectOf)
    .map(({ title, url }) => `[${textOf(title) || textOf(url)}](${textOf(url)})`)
  if (links.length === 0) return ''
  return `\n\nReferences:\n${links.map((link, index) => `${index + 1}. ${link}`).join('\n')}\n`
}

/** A library responds to one question and receives no earlier messages. */
function encodeRequest(request: ChatRequest, { model }: EncodeTarget, libraryId: string): EncodedRequest {
  const lost = droppedByApplication(request, 'provider:aiproxy-library')
  const { messages, stream } = request
  const last = messages.at(-1)
  const file = last?.parts.find((part) => part.type === 'media')
  if (file !== undefined)
    throw unsupported(`messages[${messages.length - 1}].content`, `the library takes no ${file.kind}`)
  const query = last === undefined ? '' : textOfMessage(last, messages.length - 1)
  if (query === '')
    throw new RequestFault('The last message holds no text to ask the library.', 'messages', 'invalid_value')
  const dropped = messages.length > 1 ? ['messages before the last', ...lost] : lost
  return { body: { model, query, libraryId, stream }, dropped }
}

function askLibrary(libraryId: string): Operation {
  return chatOperation({
    codec: {
      format: 'provider:aiproxy-library',
      encodeRequest: (request, target) => encodeRequest(request, target, libraryId),
      decodeResponse,
      decodeStream,
      decodeError,
    },
    endpoint: ({ baseUrl }) => ({ url: `${baseUrl}/api/library/ask`, headers: {} }),
  })
}

/** Questions to a knowledge base at AI Proxy; the free field names it. */
export const aiproxyLibrary = defineProvider({
  operations: { chat: ({ other }) => askLibrary(other.trim()) },
  decodeError,
})
