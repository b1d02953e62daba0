import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EncodeContext } from '../../canonical/codec.ts'
import { StreamMeter } from '../../streams/stream-meter.ts'
import { promptTokensOf, type Usage } from '../../usage.ts'
import { gemini } from '../codec.ts'

/**
 * Recordings of the vendor stay outside the repository: `google/<name>.json` is a response or a refusal,
 * `google/<name>.chunks.txt` a stream with one payload per line.
 */
const recordings = process.env.TOLLGATE_RECORDINGS
const call: EncodeContext = {
  model: 'm',
  responseId: 'a',
  createdAt: 0,
  includeUsage: true,
  estimatedInputTokens: 0,
}

interface Counts {
  readonly promptTokenCount: number
  readonly cachedContentTokenCount?: number
  readonly thoughtsTokenCount?: number
  readonly totalTokenCount: number
}

function files(suffix: string): readonly string[] {
  if (recordings === undefined) return []
  const folder = join(recordings, 'google')
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix))
  return names.map((name) => readFileSync(join(folder, name), 'utf8'))
}

/** The vendor's own figures: what was sent, what of it was cached, and all the rest, reasoning included. */
function expectCounted(usage: Usage | undefined, counts: Counts): void {
  if (usage === undefined) throw new Error('the usage of the recording was not found')
  expect(promptTokensOf(usage)).toBe(counts.promptTokenCount)
  expect(usage.cacheReadTokens).toBe(counts.cachedContentTokenCount ?? 0)
  expect(usage.outputTokens).toBe(counts.totalTokenCount - counts.promptTokenCount)
  expect(usage.reasoningTokens).toBe(counts.thoughtsTokenCount ?? 0)
}

function checkStream(recording: string): void {
  const lines = recording.split('\n').filter(Boolean)
  const decoder = gemini.decodeStream.start()
  const parts = lines.map((data) => gemini.decodeStream.step(decoder, { event: '', data }))
  for (const reported of parts) expect(reported.length).toBeGreaterThan(0)
  const meter = new StreamMeter()
  for (const part of parts.flat()) meter.take(part)
  expect(meter).toMatchObject({ outcome: 'complete', error: undefined })
  expect(meter.delivered().text.length + meter.delivered().toolCalls).toBeGreaterThan(0)
  expectCounted(meter.usage, JSON.parse(lines.at(-1) ?? '').usageMetadata)
}

function checkResponse(recording: string): void {
  const body = JSON.parse(recording)
  const reading = gemini.decodeResponse(body)
  if (!reading.ok) throw new Error(reading.error.message)
  expectCounted(reading.response.usage, body.usageMetadata)
  for (const { parts } of reading.response.candidates) expect(parts.length).toBeGreaterThan(0)
  const again = gemini.decodeResponse(
    JSON.parse(JSON.stringify(gemini.encodeResponse(reading.response, call))),
  )
  expect(again).toEqual({ ok: true, response: { ...reading.response, model: 'm' } })
}

describe('recordings of google', () => {
  it.skipIf(recordings === undefined)('are read with the figures that they state', () => {
    const streams = files('.chunks.txt')
    const [responses, refusals] = [files('.json'), files('.json')].map((all, which) =>
      all.filter((body) => 'error' in JSON.parse(body) === (which === 1)),
    )
    expect(streams.length + (responses ?? []).length).toBeGreaterThan(0)
    for (const stream of streams) checkStream(stream)
    for (const response of responses ?? []) checkResponse(response)
    for (const body of refusals ?? [])
      expect(gemini.decodeError({ status: 429, headers: {}, body })).toMatchObject({
        kind: 'rate_limited',
        retryAfterMs: expect.any(Number),
      })
  })
})
