import { playgroundPath } from '@tollgate/api'
import { createParser } from 'eventsource-parser'
import { requestHeaders } from '../../../lib/api/api-client.ts'
import { formatFields, type ResponseFormat, type ToolSettings } from './response-format.ts'
import { type ResponsePart, readError, responseParts } from './response-part.ts'
import type { SentMessage } from './thread.ts'

/** One call on its way. */
export interface ChatCall {
  readonly settings: ChatSettings
  readonly messages: readonly SentMessage[]
  readonly signal: AbortSignal
  readonly onRequestId: (requestId: string) => void
  readonly onPart: (part: ResponsePart) => void
}

/** Asks a model; resolves when no more will come, and throws only what a broken connection throws. */
export type SendChat = (asking: ChatCall) => Promise<void>

/** Calls a model through the gateway with the session, and emits the response as it arrives. */
export async function sendChat({ settings, messages, signal, onRequestId, onPart }: ChatCall): Promise<void> {
  const response = await fetch(playgroundPath, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...requestHeaders(true), Accept: settings.stream ? 'text/event-stream' : 'application/json' },
    body: JSON.stringify(chatBody(settings, messages)),
    signal,
  })
  // Without a session the log is not readable.
  if (response.status !== 401) onRequestId(response.headers.get('x-request-id') ?? '')
  if (!response.ok) return onPart({ type: 'error', error: readError(response.status, await response.text()) })
  if (response.body && isEventStream(response)) return readResponse(response.body, onPart)
  for (const part of responseParts(await response.text())) onPart(part)
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

/** Ends on the mark, or when the bytes do. */
export async function readResponse(
  body: ReadableStream<Uint8Array>,
  onPart: ChatCall['onPart'],
): Promise<void> {
  let done = false
  const parser = createParser({
    onEvent({ data }) {
      if (done) return
      done = data.trim() === '[DONE]'
      if (!done) for (const part of responseParts(data)) onPart(part)
    },
  })
  const bytes = body.getReader()
  const decoder = new TextDecoder()
  while (!done) {
    const piece = await bytes.read()
    if (piece.done) break
    parser.feed(decoder.decode(piece.value, { stream: true }))
  }
  if (done) return bytes.cancel()
  // A last event without its empty line still counts, because servers forget it.
  parser.feed(`${decoder.decode()}\n\n`)
}

/** Everything that determines the response of a model. */
export interface ChatSettings extends ToolSettings {
  readonly group: string
  readonly model: string
  readonly temperature: number
  /** 0 sets no limit. */
  readonly maxTokens: number
  readonly stream: boolean
  /** Empty: the model's own. */
  readonly reasoningEffort: string
  readonly format: ResponseFormat
}

/** Fields of a call's body for what the response is made of: nothing where nothing was chosen. */
export function responseFields({
  reasoningEffort,
  format,
  tools,
}: Pick<ChatSettings, 'reasoningEffort' | 'format' | 'tools'>): object {
  return {
    ...(reasoningEffort !== '' && { reasoning_effort: reasoningEffort }),
    ...formatFields(format, { tools }),
  }
}

/** The body of a playground call. The gateway takes `group` out and treats a limit of 0 as none. */
export function chatBody(settings: ChatSettings, messages: readonly SentMessage[]): object {
  const { group, model, temperature, maxTokens, stream } = settings
  return {
    model,
    group,
    messages,
    stream,
    temperature,
    max_tokens: maxTokens,
    ...responseFields(settings),
    ...(stream && { stream_options: { include_usage: true } }),
  }
}
