import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  promptTokensOf,
  readChatResponse,
  readEmbeddingResponse,
  readModeResponse,
  readResponse,
  type Usage,
  WireResponse,
} from '@tollgate/formats'
import type { Operation } from '../provider.ts'
import { providerFor } from '../registry.ts'
import { isOfDeepSeek, otherFormats, streamsIn } from '../test-support/recorded-formats.ts'
import { cutAt, cutPositions, replayStream } from '../test-support/stream-replay.ts'

/**
 * Recordings of real vendors stay outside the repository: `<vendor>/<name>.json` is a response, `<vendor>/<name>.chunks.txt`
 * a stream with one payload per line, without framing.
 */
const recordings = process.env.TOLLGATE_RECORDINGS

/** Folder to the channel type that would have been called. */
const vendors = {
  'openai-chat': 1,
  'openai-completion': 1,
  'openai-embedding': 1,
  'openai-compatible': 1,
  groq: 1000,
  azure: 3,
  alibaba: 17,
  moonshotai: 25,
  perplexity: 27,
  mistral: 42,
  deepseek: 43,
  xai: 48,
} as const

interface Counts {
  readonly prompt_tokens: number
  readonly completion_tokens?: number
  readonly total_tokens: number
  readonly prompt_tokens_details?: { readonly cached_tokens?: number } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number } | null
}

const target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: '' }
const decoder = new TextDecoder()

/** @param isOwn which of the folder's; those of its chat when not said */
function files(vendor: string, suffix: string, isOwn = isOfChat(vendor)): readonly string[] {
  if (recordings === undefined) return []
  const folder = join(recordings, vendor)
  return readdirSync(folder)
    .filter((name) => name.endsWith(suffix) && isOwn(name))
    .map((name) => join(folder, name))
}

const isOfEmbeddings = (name: string) => name.includes('embedding')

/** One of Cohere's recordings is not a chat. */
function isOfChat(vendor: string): (name: string) => boolean {
  if (vendor === 'azure') return isOfDeepSeek
  return vendor === 'cohere' ? (name) => !isOfEmbeddings(name) : () => true
}

/** Files that a test has replayed. */
const replayed = new Set<string>()

function textOf(file: string): string {
  replayed.add(file)
  return readFileSync(file, 'utf8')
}

const linesOf = (file: string) => textOf(file).split('\n').filter(Boolean)

/** The vendor's own figures: what was sent, what of it was cached, and all the rest, reasoning included. */
function expectCounted(usage: Usage | undefined, counts: Counts): void {
  if (usage === undefined) throw new Error('the usage of the recording was not found')
  expect(promptTokensOf(usage)).toBe(counts.prompt_tokens)
  expect(usage.cacheReadTokens).toBe(counts.prompt_tokens_details?.cached_tokens ?? 0)
  expect(usage.outputTokens).toBe(counts.total_tokens - counts.prompt_tokens)
  expect(usage.reasoningTokens).toBe(counts.completion_tokens_details?.reasoning_tokens ?? 0)
}

function checkStream(operation: Operation, file: string): void {
  const lines = linesOf(file)
  const framed = lines.map((line) => `data: ${line}\n\n`)
  const bytes = new TextEncoder().encode(`${framed.join('')}data: [DONE]\n\n`)
  const quiet = replayStream(operation, [bytes], false)
  expect(quiet).toMatchObject({ outcome: 'complete', error: undefined })
  const parsed = lines.map((line) => JSON.parse(line))
  expectCounted(quiet.usage, parsed.findLast((event) => event.usage != null).usage)
  const isUsageOnly = (index: number) => parsed[index].choices.length === 0 && parsed[index].usage != null
  expect(decoder.decode(quiet.forwarded)).toBe(framed.filter((_, index) => !isUsageOnly(index)).join(''))
  expect(decoder.decode(replayStream(operation, [bytes], true).forwarded)).toBe(framed.join(''))
  for (const position of cutPositions(bytes, 150))
    expect(replayStream(operation, cutAt(bytes, position), false)).toEqual(quiet)
}

function checkResponse(operation: Operation, file: string): void {
  const body = textOf(file)
  const { usage, object } = JSON.parse(body)
  const response = (object === 'list' ? readEmbeddingResponse : readChatResponse)(body, operation.decodeError)
  if (!response.ok) throw new Error(`${file}: ${response.error.message}`)
  expectCounted(response.usage, usage)
  if (object !== 'list')
    expect(response.delivered().text.length + response.delivered().toolCalls).toBeGreaterThan(0)
}

describe.each(Object.entries(vendors))('recordings of %s', (vendor, channelType) => {
  it.skipIf(recordings === undefined)('are read right, and the same however their bytes are split', () => {
    const provider = providerFor(channelType)
    const operation = provider?.operation('chat', target, 'openai-chat')
    if (operation === undefined) throw new Error(`no provider serves channels of type ${channelType}`)
    const streams = files(vendor, '.chunks.txt')
    const responses = files(vendor, '.json')
    expect(streams.length + responses.length).toBeGreaterThan(0)
    for (const file of streams) checkStream(operation, file)
    for (const file of responses) checkResponse(operation, file)
  })
})

function checkPassing(operation: Operation, text: string): void {
  const bytes = new TextEncoder().encode(text)
  const uncut = replayStream(operation, [bytes], false)
  expect(uncut).toMatchObject({ outcome: 'complete', error: undefined })
  expect(uncut.usage?.outputTokens).toBeGreaterThan(0)
  expect(decoder.decode(uncut.forwarded) + uncut.trailer).toBe(text)
  for (const position of cutPositions(bytes, 60))
    expect(replayStream(operation, cutAt(bytes, position), false)).toEqual(uncut)
}

const isFailure = (file: string) => file.includes('error')

/** Nothing is delivered and nothing counted, however the bytes are split. */
function checkFailing(operation: Operation, text: string): void {
  const bytes = new TextEncoder().encode(text)
  const uncut = replayStream(operation, [bytes], false)
  expect(uncut).toMatchObject({ error: { code: 'insufficient_quota' }, usage: undefined })
  for (const position of cutPositions(bytes, 60))
    expect(replayStream(operation, cutAt(bytes, position), false)).toEqual(uncut)
}

function checkOtherResponse({ codec, decodeError }: Operation, file: string): void {
  const body = textOf(file)
  if (codec === undefined) throw new Error('no codec')
  const response = readResponse(body, codec, decodeError)
  if (JSON.parse(body).error != null) expect(response.ok).toBe(false)
  else expect(response.ok && response.usage?.outputTokens).toBeGreaterThan(0)
}

describe.each([...otherFormats])('recordings of $vendor, in a format of its own', (format) => {
  it.skipIf(recordings === undefined)('pass byte for byte, and the same however they are split', () => {
    const { vendor, channelType, api = 'openai-chat', isOwn } = format
    // Azure has Responses where its address has no date.
    const operation = providerFor(channelType)?.operation('chat', { ...target, other: 'v1' }, api)
    if (operation === undefined) throw new Error(`no provider serves ${vendor}`)
    const streams = files(vendor, '.chunks.txt', isOwn)
    expect(streams.length).toBeGreaterThan(0)
    for (const file of streams)
      for (const stream of streamsIn(linesOf(file), format))
        (isFailure(file) ? checkFailing : checkPassing)(operation, stream)
    for (const file of files(vendor, '.json', isOwn)) checkOtherResponse(operation, file)
  })
})

/** A line `{"<event>": <payload>}` as one binary frame. https://smithy.io/2.0/aws/amazon-eventstream.html */
function bedrockFrame(line: string): Buffer {
  const [event = '', payload] = Object.entries(JSON.parse(line))[0] ?? []
  const head = Buffer.concat(
    [
      [':event-type', event],
      [':message-type', 'event'],
    ].map(([name = '', value = '']) =>
      Buffer.concat([
        Buffer.from([name.length, ...Buffer.from(name), 7, 0, value.length]),
        Buffer.from(value),
      ]),
    ),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length, 0)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(Buffer.concat([prelude, head, body])), 0)
  return Buffer.concat([prelude, head, body, end])
}

describe('recordings of amazon-bedrock', () => {
  it.skipIf(recordings === undefined)('are read right as binary frames, however they are split', () => {
    const operation = providerFor(33)?.operation('chat', target, 'openai-chat')
    if (operation === undefined) throw new Error('no provider serves Bedrock')
    const streams = files('amazon-bedrock', '.chunks.txt')
    expect(streams.length).toBeGreaterThan(0)
    for (const file of streams) {
      const lines = linesOf(file)
      const bytes = new Uint8Array(Buffer.concat(lines.map(bedrockFrame)))
      const uncut = replayStream(operation, [bytes], false)
      const { usage } = lines.map((line) => JSON.parse(line).metadata).find(Boolean)
      expect(uncut).toMatchObject({ outcome: 'complete', error: undefined })
      expect(uncut.usage).toMatchObject({ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens })
      expect(uncut.delivered.text.length + uncut.delivered.toolCalls).toBeGreaterThan(0)
      for (const position of cutPositions(bytes, 150))
        expect(replayStream(operation, cutAt(bytes, position), false)).toEqual(uncut)
    }
    for (const file of files('amazon-bedrock', '.json')) checkOtherResponse(operation, file)
  })
})

describe('recordings of cohere’s embeddings', () => {
  it.skipIf(recordings === undefined)('are read into the public form, with what is billed', () => {
    const plain = providerFor(34)?.operation('embeddings', target, 'openai-embeddings')?.plain
    const found = files('cohere', '.json', isOfEmbeddings)
    expect(found.length).toBeGreaterThan(0)
    for (const file of found) {
      const body = textOf(file)
      const { embeddings, texts, meta } = JSON.parse(body)
      const call = { body: { model: 'm', input: texts }, model: 'm', responseId: 'a', createdAt: 0 }
      const reading = plain?.decodeResponse(new WireResponse(Buffer.from(body), 'application/json'), call)
      if (reading?.usage === undefined) throw new Error(`${file} is not read, or not its usage`)
      expect(reading.usage.inputTokens).toBe(meta.billed_units.input_tokens)
      const { data } = JSON.parse(String(reading.encode(reading.usage)))
      expect(data.map(({ embedding }: { embedding: readonly number[] }) => embedding)).toEqual(
        embeddings.float,
      )
    }
  })
})

describe('recordings of togetherai', () => {
  it.skipIf(recordings === undefined)('are ranks in the public form, whose counts are read', () => {
    const operation = providerFor(1001)?.operation('rerank', target, 'jina-rerank')
    if (operation === undefined) throw new Error('no provider serves Together')
    // Its bodies pass as received.
    expect([operation.format, operation.plain]).toEqual(['jina-rerank', undefined])
    const found = files('togetherai', '.json')
    expect(found.length).toBeGreaterThan(0)
    for (const file of found) {
      const body = textOf(file)
      const response = readModeResponse('rerank', body, operation.decodeError)
      if (!response.ok) throw new Error(`${file}: ${response.error.message}`)
      expectCounted(response.usage, JSON.parse(body).usage)
    }
  })
})

/** Files that no test replays, with the reason. */
const droppedOptions: Readonly<Record<string, string>> = {
  LICENSE: 'no recording',
  'README.md': 'no recording',
}

describe('the folder of recordings', () => {
  it.skipIf(recordings === undefined)('holds none that no test above has replayed', () => {
    const all = readdirSync(recordings ?? '', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    const others = all.filter((file) => !replayed.has(file)).map((file) => relative(recordings ?? '', file))
    expect(others.filter((file) => !Object.hasOwn(droppedOptions, file))).toEqual([])
  })
})
