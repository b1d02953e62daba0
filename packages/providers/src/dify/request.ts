import {
  type ChatRequest,
  type EncodedRequest,
  type EncodeTarget,
  type MediaPart,
  type Message,
  unsupported,
} from '@tollgate/formats'
import { conversationText, droppedByApplication } from '../application-request.ts'

/** Dify wants to be told who is asking, to keep the conversations of one apart from those of others. */
const unnamedUser = 'tollgate'

/**
 * The body of `/v1/chat-messages`. Dify keeps conversations itself, by ids of its own; every call is a new one here, so the
 * conversation goes along as text. The application decides the model and everything about it.
 * https://docs.dify.ai/api-reference/chat/send-chat-message
 * @param streams the answer is to be a stream, whatever the caller wants
 * @throws RequestFault for what an application cannot be told and whose loss would change the answer
 */
export function encodeRequest(
  request: ChatRequest,
  { fileIds = noIds }: Pick<EncodeTarget, 'fileIds'>,
  streams: boolean,
): EncodedRequest {
  const dropped = droppedByApplication(request, 'provider:dify', ['inputs'])
  const files = request.messages.flatMap((message, place) => filesOf(message, `messages[${place}]`, fileIds))
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

/** A file belongs to the user who uploaded it. */
export function userOf({ options }: ChatRequest): string {
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
