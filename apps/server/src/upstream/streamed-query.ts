import type { HttpExchange, HttpResponse } from '@tollgate/http/client'
import type { Send } from './transport.ts'

/** An answer whose body is still to be read, or to be left. */
export interface StreamedResponse {
  readonly status: number
  /** A header field by its name in lower case. */
  header(name: string): string | null
  /** Read no faster than it is pulled; cancelling closes the connection. */
  readonly bytes: ReadableStream<Uint8Array>
}

/**
 * Sends, and answers as soon as there is a head. Redirects are none: they would carry credentials to another host. Throws
 * what the connection, the guard or a credential throws.
 * @param signal closes the connection, whenever it comes
 */
export async function openStreamed(
  send: () => HttpExchange | Promise<Send>,
  signal: AbortSignal,
): Promise<StreamedResponse> {
  const sending = send()
  const exchange = sending instanceof Promise ? (await sending)() : sending
  signal.addEventListener('abort', () => exchange.abort(), { once: true })
  if (signal.aborted) exchange.abort()
  const response = await exchange.response
  return {
    status: response.status,
    header: (name) => response.header(name),
    bytes: streamOf(response, exchange),
  }
}

function streamOf(response: HttpResponse, exchange: HttpExchange): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { value } = await response.read()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => exchange.abort(),
  })
}
