import { playgroundPath } from '@tollgate/api'
import { requestHeaders } from '../../../lib/api-client.ts'
import { answerParts, readError } from '../stream/answer-part.ts'
import { createSseReader } from '../stream/sse-reader.ts'
import { chatBody } from './chat-request.ts'
import type { Asking } from './chat-store.ts'

/** Asks a model through the gateway with the session, and hands the answer over piece by piece. */
export async function ask({ settings, messages, signal, onRequestId, onPart }: Asking): Promise<void> {
  const response = await fetch(playgroundPath, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { ...requestHeaders(true), Accept: settings.stream ? 'text/event-stream' : 'application/json' },
    body: JSON.stringify(chatBody(settings, messages)),
    signal,
  })
  onRequestId(response.headers.get('x-request-id') ?? '')
  if (!response.ok) return onPart({ type: 'error', error: readError(response.status, await response.text()) })
  if (response.body && isEventStream(response)) return readStream(response.body, onPart)
  for (const part of answerParts(await response.text())) onPart(part)
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

/** Ends on the mark, or when the bytes do. */
async function readStream(body: ReadableStream<Uint8Array>, onPart: Asking['onPart']): Promise<void> {
  const reader = createSseReader()
  const bytes = body.getReader()
  for (;;) {
    const { done, value } = await bytes.read()
    for (const { data } of done ? reader.end() : reader.push(value)) {
      if (data.trim() === '[DONE]') return bytes.cancel()
      for (const part of answerParts(data)) onPart(part)
    }
    if (done) return
  }
}
