import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectResponse } from '../../streams/collect-response.ts'
import { StreamMeter } from '../../streams/stream-meter.ts'
import { promptTokensOf, type Usage } from '../../usage.ts'
import { openAiResponses } from '../codec.ts'

/**
 * Recordings of real vendors stay outside the repository: `<vendor>/<name>.json` is a response, `<vendor>/<name>.chunks.txt`
 * a stream with one payload per line.
 */
const recordings = process.env.TOLLGATE_RECORDINGS
const vendors = ['openai-responses', 'open-responses', 'xai-responses', 'azure']
const call = { model: 'm', responseId: 'r1', createdAt: 1, includeUsage: true, estimatedInputTokens: 1 }

function files(vendor: string, suffix: string): readonly string[] {
  if (recordings === undefined) return []
  const folder = join(recordings, vendor)
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && !name.includes('deepseek'))
    .map((name) => join(folder, name))
}

interface RawUsage {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly input_tokens_details?: { readonly cached_tokens?: number }
}

function expectCounted(usage: Usage | undefined, raw: RawUsage): void {
  if (usage === undefined) throw new Error('no usage was found')
  expect(promptTokensOf(usage)).toBe(raw.input_tokens)
  expect(usage.cacheReadTokens).toBe(raw.input_tokens_details?.cached_tokens ?? 0)
  expect(usage.outputTokens).toBe(raw.output_tokens)
}

function decodeBuffered(body: object) {
  const reading = openAiResponses.decodeResponse(body)
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.response
}

function checkResponse(file: string): void {
  const body = JSON.parse(readFileSync(file, 'utf8'))
  if (body.output === undefined) {
    expect(openAiResponses.decodeResponse(body).ok).toBe(false)
    return
  }
  const response = decodeBuffered(body)
  expectCounted(response.usage, body.usage)
  const again = decodeBuffered(openAiResponses.encodeResponse(response, call) as object)
  expect(again.candidates).toEqual(response.candidates)
}

/** Some files hold several responses, one after another. */
function streamsIn(file: string): readonly (readonly string[])[] {
  const streams: string[][] = []
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    if (JSON.parse(line).type === 'response.created') streams.push([])
    streams.at(-1)?.push(line)
  }
  return streams
}

function checkStream(lines: readonly string[]): void {
  const { decodeStream } = openAiResponses
  const state = decodeStream.start()
  const meter = new StreamMeter()
  const parts = lines.flatMap((data) => decodeStream.step(state, { event: '', data }))
  for (const part of [...parts, ...decodeStream.finish(state)]) meter.take(part)
  const { type, response } = JSON.parse(lines.at(-1) ?? '')
  if (type === 'response.failed') {
    expect(meter.error?.kind).toBe('quota')
    return
  }
  expect(meter).toMatchObject({ outcome: 'complete', error: undefined, isEnded: true, isStopped: true })
  expectCounted(meter.usage, response.usage)
  // What came in pieces is what the last event holds as a whole.
  expect(withoutProofs(collectResponse(parts))).toEqual(withoutProofs(decodeBuffered(response)))
}

/** The vendor encrypts the same reasoning again for its last event. */
function withoutProofs(response: object): unknown {
  return JSON.parse(JSON.stringify(response, (key, value) => (key === 'encrypted' ? 'proof' : value)))
}

describe.each(vendors)('recordings of %s', (vendor) => {
  it.skipIf(recordings === undefined)('are read right, streamed as whole, with their own figures', () => {
    const responses = files(vendor, '.json')
    const streams = files(vendor, '.chunks.txt')
    expect(responses.length + streams.length).toBeGreaterThan(0)
    for (const file of responses) checkResponse(file)
    for (const file of streams) for (const lines of streamsIn(file)) checkStream(lines)
  })
})
