import { playgroundPath } from '@tollgate/api'
import { createParser } from 'eventsource-parser'
import { requestHeaders } from '../../../lib/api-client.ts'
import { readError, responseParts } from '../stream/response-part.ts'
import type { ChatCall } from './chat-calls.ts'
import { chatBody } from './chat-request.ts'

/** Asks a model through the gateway with the session, and hands the answer over piece by piece. */
export async function sendChat({ settings, messages, signal, onRequestId, onPart }: ChatCall): Promise<void> {
  const response = await fetch(playgroundPath, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...requestHeaders(true), Accept: settings.stream ? 'text/event-stream' : 'application/json' },
    body: JSON.stringify(chatBody(settings, messages)),
    signal,
  })
  // Without a session there is no log to look the call up in.
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
