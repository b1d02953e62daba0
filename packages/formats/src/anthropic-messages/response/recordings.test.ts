import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StreamMeter } from '../../streams/stream-meter.ts'
import { type Usage, usageOf } from '../../usage.ts'
import { anthropicMessages } from '../codec.ts'

/**
 * Recordings of the real vendor stay outside the repository: `anthropic/<name>.json` is a response,
 * `anthropic/<name>.chunks.txt` a stream with one payload per line.
 */
const recordings = process.env.TOLLGATE_RECORDINGS

function files(suffix: string): readonly string[] {
  if (recordings === undefined) return []
  const folder = join(recordings, 'anthropic')
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => join(folder, name))
}

interface Counts {
  readonly input_tokens: number
  readonly cache_read_input_tokens?: number
  readonly cache_creation_input_tokens?: number
  readonly output_tokens: number
  readonly output_tokens_details?: { readonly thinking_tokens: number }
  readonly server_tool_use?: { readonly web_search_requests: number }
}

/** The vendor's own figures; no recording has tokens in an hour's cache. */
function expectCounted(usage: Usage | undefined, counts: Counts): void {
  expect(usage?.toolCalls?.web_search ?? 0).toBe(counts.server_tool_use?.web_search_requests ?? 0)
  expect(usage).toMatchObject(
    usageOf({
      inputTokens: counts.input_tokens,
      cacheReadTokens: counts.cache_read_input_tokens ?? 0,
      cacheWriteTokens: counts.cache_creation_input_tokens ?? 0,
      outputTokens: counts.output_tokens,
      reasoningTokens: counts.output_tokens_details?.thinking_tokens ?? 0,
    }),
  )
}

function checkResponse(file: string): void {
  const body = JSON.parse(readFileSync(file, 'utf8'))
  const reading = anthropicMessages.decodeResponse(body)
  if (!reading.ok) throw new Error(`${file}: ${reading.error.message}`)
  const { response } = reading
  expectCounted(response.usage, body.usage)
  if (body.stop_reason !== 'refusal') expect(response.candidates[0]?.parts.length).toBeGreaterThan(0)
  const call = { model: 'm', responseId: 'a', createdAt: 0, includeUsage: false, estimatedInputTokens: 1 }
  const again = anthropicMessages.decodeResponse(anthropicMessages.encodeResponse(response, call))
  // What is charged beside the tokens is written for this format's own callers by their vendor.
  const { toolCalls: _, service: __, ...usage } = response.usage ?? usageOf({})
  const { leftOut: ___, ...known } = response
  expect(again).toMatchObject({ ok: true, response: { ...known, model: 'm', usage } })
}

function checkStream(file: string): void {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const events = lines.map((line) => JSON.parse(line))
  const { decodeStream } = anthropicMessages
  const state = decodeStream.start()
  const meter = new StreamMeter()
  const parts = lines.flatMap((data, index) => decodeStream.step(state, { event: events[index].type, data }))
  for (const part of [...parts, ...decodeStream.finish(state)]) meter.take(part)
  expect(meter).toMatchObject({ outcome: 'complete', error: undefined, isEnded: true, isStopped: true })
  const { usage, delta } = events.findLast((event) => event.type === 'message_delta')
  expectCounted(meter.usage, usage)
  const { text, toolCalls } = meter.delivered()
  if (delta.stop_reason !== 'refusal') expect(text.length).toBeGreaterThan(0)
  const calls = events.filter((event) => event.content_block?.type === 'tool_use')
  expect(toolCalls).toBe(calls.length)
}

describe('recordings of anthropic', () => {
  it.skipIf(recordings === undefined)('are read right, with the vendor’s own figures', () => {
    const responses = files('.json')
    const streams = files('.chunks.txt')
    expect(Math.min(responses.length, streams.length)).toBeGreaterThan(0)
    for (const file of responses) checkResponse(file)
    for (const file of streams) checkStream(file)
  })
})
