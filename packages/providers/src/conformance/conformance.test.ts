import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  type BufferedResponse,
  openAiChat,
  readChatResponse,
  readEmbeddingResponse,
  readResponse as readResponseOf,
  type Usage,
  usageOf,
} from '@tollgate/formats'
import { openAiFormats } from '../openai/openai-compatible.ts'
import type { Operation, Provider, RelayMode, Target } from '../provider.ts'
import { providers } from '../registry.ts'
import { announcedAfter, cutsOf, dialects, faultOf } from '../test-support/cut-streams.ts'
import { cutAt, cutPositions, framesIn, replayedCall, replayStream } from '../test-support/stream-replay.ts'

interface Expected {
  readonly mode: RelayMode
  /** Model that is served in the form of the fixture, where a provider has several forms. */
  readonly model?: string
  readonly usage?: Partial<Usage> | null
  readonly text?: string
  readonly toolCalls?: number
  readonly swallows?: number
  readonly error?: string
}

const counted = ({ usage }: Expected): Usage | null => (usage == null ? null : usageOf(usage))

const decoder = new TextDecoder()
const source = join(import.meta.dir, '..')

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('video-')) // Of tasks, which have a suite of their own.
      .map((name) => join(folder, name))
  } catch {
    return [] // A provider without quirks needs none of its own.
  }
}
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const expectedFor = (file: string): Expected =>
  readJson(file.replace(/\.(stream\.(sse|hex|ndjson)|upstream\.json)$/, '.expected.json'))
const sharedFiles = filesIn(join(import.meta.dir, 'fixtures'))
const target: Target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: '' }

/** Files that an expectation stands beside. */
const isFixture = /\.(stream\.(sse|hex|ndjson)|upstream\.json)$/

/** Beginning of an event with a payload, as the caller gets it. */
const eventStart = 'data: {'
const frameCount = (text: string) => text.split(eventStart).length - 1

function operationFor(provider: Provider, file: string): Operation {
  const { mode, model = target.upstreamModel } = expectedFor(file)
  const operation = provider.operation(mode, { ...target, upstreamModel: model }, openAiFormats[mode])
  if (operation === undefined) throw new Error(`${provider.id} serves no ${mode}`)
  return operation
}

/** The wire bytes; those that are no text are written as hexadecimal digits, a frame per line. */
function bytesOf(file: string): Uint8Array {
  return new Uint8Array(file.endsWith('.hex') ? Buffer.concat(framesOf(file)) : readFileSync(file))
}

function readResponse(operation: Operation, mode: RelayMode, body: string): BufferedResponse {
  const decodeError: Operation['decodeError'] = (failure) => operation.decodeError(failure)
  if (mode === 'embeddings') return readEmbeddingResponse(body, decodeError)
  const { codec, normalizeResponse } = operation
  if (mode === 'completions' && normalizeResponse !== undefined)
    return readChatResponse(JSON.stringify(normalizeResponse(JSON.parse(body), replayedCall)), decodeError)
  return codec === undefined || codec.format === 'openai-chat'
    ? readChatResponse(body, decodeError)
    : readResponseOf(body, codec, decodeError)
}

function checkStream(operation: Operation, file: string, maxCuts: number): void {
  const expected = expectedFor(file)
  const bytes = bytesOf(file)
  const uncut = replayStream(operation, [bytes], false)
  expect(uncut.error?.kind).toBe(expected.error as never)
  if (expected.error === undefined) {
    expect(uncut.usage ?? null).toEqual(counted(expected))
    expect(uncut.delivered).toMatchObject({ text: expected.text ?? '', toolCalls: expected.toolCalls ?? 0 })
    expect(uncut.outcome).toBe('complete')
    const forwarded = frameCount(decoder.decode(uncut.forwarded) + uncut.trailer)
    expect(eventCount(operation, file, bytes) - forwarded).toBe(expected.swallows ?? 0)
  }
  for (const position of cutPositions(bytes, maxCuts)) {
    expect(replayStream(operation, cutAt(bytes, position), false)).toEqual(uncut)
  }
  expect(replayStream(operation, cutAt(bytes, ...bytes.keys()), false)).toEqual(uncut)
}

function eventCount({ framing }: Operation, file: string, bytes: Uint8Array): number {
  if (file.endsWith('.hex')) return framesOf(file).length
  const text = decoder.decode(bytes)
  const own = { websocket: /^\{/gm, 'sse-fields': /^event:/gm } as const
  return framing === 'websocket' || framing === 'sse-fields'
    ? (text.match(own[framing])?.length ?? 0)
    : frameCount(text)
}

function framesOf(file: string): readonly Buffer[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => Buffer.from(line, 'hex'))
}

/** A stream cut at any byte before its stop reason never counts as a complete response. */
function checkTruncation(operation: Operation, file: string, maxCuts: number): void {
  const bytes = bytesOf(file)
  for (const position of cutPositions(bytes.slice(0, endReported(file, bytes)), maxCuts)) {
    expect(replayStream(operation, [bytes.slice(0, position)], false).outcome).not.toBe('complete')
  }
}

function checkCalls(operation: Operation, file: string): void {
  const { codec = openAiChat } = operation
  const frames = framesIn(operation, bytesOf(file))
  const cuts = cutsOf(codec, frames)
  for (const dialect of dialects) {
    const uncut = announcedAfter(codec, dialect, frames)
    expect(uncut.outcome).toBe('complete')
    expect(uncut.calls).toHaveLength(expectedFor(file).toolCalls ?? 0)
    for (const cut of cuts)
      expect(faultOf(uncut, announcedAfter(codec, dialect, cut.frames), cut.fails)).toBe('')
  }
}

/** The reason why a response stopped, in each of the formats. */
const stopReason =
  /"(finish_reason|stop_reason|finishReason|stopReason)":"|"FinishReason":"\w|"event":"message_end"|"(is_end|finish)":true|"status":2|"response":"","usage"|^event:(finish|interrupted)/m

/** The position of the stop reason; the end of the bytes in streams without one. */
function endReported(file: string, bytes: Uint8Array): number {
  if (file.endsWith('.hex')) {
    const frames = framesOf(file)
    const position = frames.findIndex((frame) => stopReason.test(payloadOf(frame)))
    return Buffer.concat(frames.slice(0, position < 0 ? undefined : position)).length
  }
  const text = decoder.decode(bytes)
  const end = text.search(stopReason)
  return end < 0 ? bytes.length : new TextEncoder().encode(text.slice(0, end)).length
}

/** Returns a frame as it is, or the text that Bedrock wrapped as base64. */
function payloadOf(frame: Buffer): string {
  const text = frame.toString('latin1')
  const wrapped = /"bytes":"([^"]*)"/.exec(text)?.[1]
  return wrapped === undefined ? text : Buffer.from(wrapped, 'base64').toString()
}

function checkResponse(operation: Operation, file: string): void {
  const expected = expectedFor(file)
  const response = readResponse(operation, expected.mode, readFileSync(file, 'utf8'))
  expect(response.ok ? undefined : response.error.kind).toBe(expected.error as never)
  if (!response.ok) return
  expect(response.usage ?? null).toEqual(counted(expected))
  expect(response.delivered()).toMatchObject({
    text: expected.text ?? '',
    toolCalls: expected.toolCalls ?? 0,
  })
}

function checkError(provider: Provider, file: string): void {
  const { kind, ...failure } = readJson(file)
  const error = provider.decodeError(failure)
  expect(error.kind).toBe(kind)
  expect(error.status).toBe(failure.status)
  expect(error.message.length).toBeGreaterThan(0)
}

describe.each(providers.map(({ id }) => id))('provider %s', (id) => {
  const provider = providers.find((candidate) => candidate.id === id)
  if (provider === undefined) throw new Error(`no provider ${id}`)
  const own = filesIn(join(source, 'vendors', id, 'fixtures'))
  const isServed = (file: string) => provider.modes.includes(expectedFor(file).mode)
  const inOpenAiFormat = (file: string) =>
    isServed(file) && operationFor(provider, file).format === openAiFormats[expectedFor(file).mode]
  const dialect = sharedFiles.filter((file) => isFixture.test(file) && inOpenAiFormat(file))
  const streams = (files: readonly string[]) =>
    files.filter((file) => /\.stream\.(sse|hex|ndjson)$/.test(file))
  const operation = (file: string) => operationFor(provider, file)

  it('reads its own streams the same however their bytes are split', () => {
    for (const file of streams(own)) checkStream(operation(file), file, 3000)
  })

  it('reads the streams of the dialect', () => {
    for (const file of streams(dialect)) checkStream(operation(file), file, id === 'openai' ? 3000 : 20)
  })

  it('notices a stream that is cut short', () => {
    for (const file of streams(own)) checkTruncation(operation(file), file, 200)
    for (const file of streams(dialect)) checkTruncation(operation(file), file, 20)
  })

  it('announces no call that is not whole, in any dialect, wherever its own streams are cut', () => {
    for (const file of streams(id === 'openai' ? [...own, ...dialect] : own))
      if ((expectedFor(file).toolCalls ?? 0) > 0) checkCalls(operation(file), file)
  })

  it('finds usage and text in buffered responses, and failures that pose as responses', () => {
    for (const file of [...own, ...dialect].filter((name) => name.endsWith('.upstream.json')))
      checkResponse(operation(file), file)
  })

  it('reports the kind of every refusal', () => {
    for (const file of [...own, ...sharedFiles].filter((name) => name.endsWith('.error.json')))
      checkError(provider, file)
  })

  it('has a fixture beside every expectation, and the other way round', () => {
    const names = own.map((file) => basename(file)).filter((name) => !name.endsWith('.error.json'))
    const cases = new Set(
      names.map((name) => name.replace(/\.(stream\.(sse|hex|ndjson)|upstream\.json|expected\.json)$/, '')),
    )
    expect(names.length).toBe(cases.size * 2)
  })
})
