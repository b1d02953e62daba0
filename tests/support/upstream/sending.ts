import type { ServerResponse } from 'node:http'
import { slowness } from '../../../scripts/deadline/deadline.mjs'
import { chunk, event, type Prompt, piecesOf, type Reply, type UpstreamCall, wireUsage } from './wire.ts'

/** One call with its response under way. */
export interface Exchange {
  readonly call: UpstreamCall
  readonly response: ServerResponse
  /** Request of the caller, as the protocol means it. */
  readonly prompt: Prompt
  /** Called for every stream event with content. */
  readonly sent: () => void
}

export type Headers = Readonly<Record<string, string>>

/** Content events as the response wants them, at most `limit`; stops when the other side hangs up. */
export async function sendEvents(
  exchange: Exchange,
  reply: Reply,
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { call, response, prompt, sent } = exchange
  const pieces = piecesOf(reply).slice(0, limit)
  for (const [index, piece] of pieces.entries()) {
    await pause(reply.eventDelayMs)
    if (response.destroyed) return
    const role = index === 0 ? { role: 'assistant' } : {}
    const content = prompt.kind === 'chat' ? { delta: { ...role, content: piece } } : { text: piece }
    await write(response, event(chunk(call, prompt, [{ index: 0, ...content, finish_reason: null }])))
    sent()
  }
}

/** Finish, usage when asked for, and `[DONE]`. */
export async function endStream({ call, response, prompt }: Exchange, reply: Reply): Promise<void> {
  const content = prompt.kind === 'chat' ? { delta: {} } : { text: '' }
  const finish = [{ index: 0, ...content, finish_reason: reply.finishReason ?? 'stop' }]
  await write(response, event(chunk(call, prompt, finish)))
  if (prompt.wantsUsage && reply.usage !== 'none') {
    await write(response, event({ ...chunk(call, prompt, []), usage: wireUsage(reply.usage) }))
  }
  response.end('data: [DONE]\n\n')
}

/** Status and headers of a stream, on their way at once. */
export function openStream(response: ServerResponse, headers: Headers = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache', ...headers })
  response.flushHeaders()
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Headers = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export function sendText(response: ServerResponse, status: number, body: string, contentType: string): void {
  response.writeHead(status, { 'content-type': contentType })
  response.end(body)
}

/** Resolves when the bytes are on their way, so that a connection cut next does not swallow them. */
export function write(response: ServerResponse, text: string | Uint8Array): Promise<void> {
  return new Promise((done) => {
    response.once('close', done)
    response.write(text, () => {
      response.off('close', done)
      done()
    })
  })
}

/**
 * Ends the connection in the middle of the response. The short wait lets the other side read what was sent: Bun's fetch
 * forgets what it received but did not hand out yet when the connection breaks.
 */
export async function cut(response: ServerResponse): Promise<void> {
  await pause(50 * slowness())
  response.socket?.destroy()
}

export async function pause(ms = 0): Promise<void> {
  if (ms > 0) await Bun.sleep(ms)
}
