import {
  type ChatPart,
  type ChatRequest,
  collectResponse,
  type DecodedResponse,
  decodeErrorBody,
  type EncodedRequest,
  type EncodeTarget,
  isObject,
  type MediaPart,
  type Message,
  objectOf,
  parseJson,
  textOf,
  type UpstreamCodec,
  type UpstreamErrorInfo,
  unsupported,
} from '@tollgate/formats'
import { conversationText, droppedByApplication, eventsIn } from '../../chat/application-request.ts'
import { chatOperation, defineProvider, type ProviderShape } from '../../define-provider.ts'
import { versionedUrl } from '../../endpoint-url.ts'
import type { ChannelTarget, FileUploads, Operation, Provider, UpstreamEndpoint } from '../../provider.ts'
import type { ProviderOptions } from '../../provider-options.ts'
import { type DifyState, difyStream, errorKinds } from './stream.ts'

/** Dify requires a user, to separate the conversations of one from those of others. */
const unnamedUser = 'tollgate'

/**
 * The body of `/v1/chat-messages`. Dify stores conversations itself, by its own ids. The gateway starts a new one for every
 * call and sends the earlier messages as text. The application decides the model and all its options.
 * https://docs.dify.ai/api-reference/chat/send-chat-message
 * @param streams whether to request a stream, whatever the caller wants
 * @throws RequestFault for a field that an application does not accept and whose loss would change the response
 */
function encodeRequest(
  request: ChatRequest,
  { fileIds = noIds }: Pick<EncodeTarget, 'fileIds'>,
  streams: boolean,
): EncodedRequest {
  const dropped = droppedByApplication(request, 'provider:dify', ['inputs'])
  const files = request.messages.flatMap((message, index) => filesOf(message, `messages[${index}]`, fileIds))
  const body = {
    inputs: inputsOf(request),
    query: conversationText(request.messages),
    response_mode: streams || request.stream ? 'streaming' : 'blocking',
    conversation_id: '',
    user: userOf(request),
    auto_generate_name: false,
    ...(files.length > 0 && { files }),
  }
  return { body, dropped }
}

/** Variables of the application, which OpenAI's callers may give as `inputs`. */
function inputsOf({ vendor }: ChatRequest): unknown {
  return (vendor?.format === 'openai-chat' ? vendor.fields.inputs : undefined) ?? {}
}

/** Returns the user, to whom the uploaded files belong. */
function userOf({ options }: ChatRequest): string {
  return options.user || unnamedUser
}

type FileIds = NonNullable<EncodeTarget['fileIds']>

const noIds: FileIds = new Map()

function filesOf({ parts }: Message, param: string, ids: FileIds): readonly unknown[] {
  return parts.flatMap((part) => (part.type === 'media' ? [fileOf(part, param, ids)] : []))
}

function fileOf({ kind, source }: MediaPart, param: string, ids: FileIds): unknown {
  if (source.type === 'url') return { type: kind, transfer_method: 'remote_url', url: source.url }
  const id = source.type === 'base64' ? ids.get(source.data) : undefined
  if (id !== undefined) return { type: kind, transfer_method: 'local_file', upload_file_id: id }
  throw unsupported(`${param}.content`, `the application takes no ${kind} but by its address or as base64`)
}

/**
 * Reads a buffered response: an object, or the text of a stream, because agents always stream.
 * @param progress whether to report the steps of a workflow as reasoning
 */
function decodeResponse(body: unknown, progress: boolean): DecodedResponse {
  if (typeof body === 'string') return decodeStreamed(body, progress)
  if (!isObject(body) || typeof body.answer !== 'string') return failed(failureOf(JSON.stringify(body) ?? ''))
  const { start, step } = difyStream(progress)
  const state = start()
  const parts = ['message', 'message_end'].flatMap((event) => [
    ...step(state, { event: '', data: JSON.stringify({ ...body, event }) }),
  ])
  return { ok: true, response: collectResponse(parts) }
}

function decodeStreamed(text: string, progress: boolean): DecodedResponse {
  const { start, step } = difyStream(progress)
  const state = start()
  let parts: ChatPart[] = []
  for (const frame of eventsIn(text)) {
    if (objectOf(parseJson(frame.data)).event === 'message_replace') parts = withoutText(parts, state)
    parts.push(...step(state, frame))
  }
  const failure = parts.find((part) => part.type === 'error')
  if (failure !== undefined) return failed(failure.error)
  const isComplete = parts.some((part) => part.type === 'end')
  return isComplete ? { ok: true, response: collectResponse(parts) } : failed(failureOf(text))
}

/** Removes the text, which the caller has not seen yet. */
function withoutText(parts: readonly ChatPart[], state: DifyState): ChatPart[] {
  state.answer = ''
  return parts.filter((part) => part.type !== 'text-delta')
}

function failed(error: UpstreamErrorInfo): DecodedResponse {
  return { ok: false, error }
}

function failureOf(body: string): UpstreamErrorInfo {
  return decodeErrorBody({ status: 200, headers: {}, body }, errorKinds)
}

const decodeError: Provider['decodeError'] = (failure) => decodeErrorBody(failure, errorKinds)

function endpointAt({ baseUrl }: ChannelTarget, path: string): UpstreamEndpoint {
  return { url: versionedUrl(baseUrl, '/v1', path), headers: {} }
}

/** https://docs.dify.ai/api-reference/files/file-upload */
const uploads: FileUploads = {
  endpoint: (target) => endpointAt(target, '/files/upload'),
  fields: (request) => ({ user: userOf(request) }),
  decode: (answer) => textOf(objectOf(answer).id) || undefined,
}

interface App {
  /** Agents respond with a stream only. */
  readonly streams: boolean
  /** Reports the steps of a workflow as reasoning. */
  readonly progress: boolean
}

function chatOf({ streams, progress }: App): Operation {
  const codec: UpstreamCodec = {
    format: 'provider:dify',
    encodeRequest: (request, target) => encodeRequest(request, target, streams),
    decodeResponse: (body) => decodeResponse(body, progress),
    decodeStream: difyStream(progress),
    decodeError,
  }
  return chatOperation({ codec, uploads, endpoint: (target) => endpointAt(target, '/chat-messages') })
}

/**
 * Chatflows and agents of Dify; the free field says which. https://docs.dify.ai/api-reference/chat
 */
export function dify({ DIFY_DEBUG }: ProviderOptions): ProviderShape {
  const progress = DIFY_DEBUG === 'true'
  const chatflow = chatOf({ streams: false, progress })
  const agent = chatOf({ streams: true, progress })
  return defineProvider({
    operations: { chat: ({ other }) => (other.trim().toLowerCase() === 'agent' ? agent : chatflow) },
    decodeError,
  })
}
