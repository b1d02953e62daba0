import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Answer, readChatAnswer, readEmbeddingAnswer, type Usage, usageOf } from '@tollgate/formats'
import type { Provider, RelayMode } from './provider.ts'
import { providers } from './registry.ts'
import { cutAt, cutPlaces, replayStream } from './stream-replay.ts'

interface Expected {
  readonly mode: RelayMode
  readonly usage?: Partial<Usage> | null
  readonly text?: string
  readonly toolCalls?: number
  readonly swallows?: number
  readonly error?: string
}

const counted = ({ usage }: Expected): Usage | null => (usage == null ? null : usageOf(usage))

const decoder = new TextDecoder()
const source = import.meta.dir
const folders = readdirSync(source, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && entry.name !== 'fixtures',
)

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return [] // A provider without quirks needs none of its own.
  }
}
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const expectedFor = (file: string): Expected =>
  readJson(file.replace(/\.(stream\.sse|upstream\.json)$/, '.expected.json'))
const frameCount = (bytes: Uint8Array) => decoder.decode(bytes).split('data: {').length - 1
const sharedFiles = filesIn(join(source, 'fixtures'))

function readAnswer(provider: Provider, mode: RelayMode, body: string): Answer {
  const read = mode === 'embeddings' ? readEmbeddingAnswer : readChatAnswer
  return read(body, provider.decodeError)
}

function checkStream(provider: Provider, file: string, mostCuts: number): void {
  const expected = expectedFor(file)
  const bytes = new Uint8Array(readFileSync(file))
  const whole = replayStream(provider, [bytes], false)
  expect(whole.error?.kind).toBe(expected.error as never)
  if (expected.error === undefined) {
    expect(whole.usage ?? null).toEqual(counted(expected))
    expect(whole.delivered).toMatchObject({ text: expected.text ?? '', toolCalls: expected.toolCalls ?? 0 })
    expect(whole.outcome).toBe('complete')
    expect(frameCount(bytes) - frameCount(whole.forwarded)).toBe(expected.swallows ?? 0)
  }
  for (const place of cutPlaces(bytes, mostCuts)) {
    expect(replayStream(provider, cutAt(bytes, place), false)).toEqual(whole)
  }
  expect(replayStream(provider, cutAt(bytes, ...bytes.keys()), false)).toEqual(whole)
}

/** Cut anywhere before its end was told, a stream is never taken for a whole answer. */
function checkTruncation(provider: Provider, file: string, mostCuts: number): void {
  const bytes = new Uint8Array(readFileSync(file))
  const end = decoder.decode(bytes).search(/"finish_reason":"/)
  const told = end < 0 ? bytes.length : new TextEncoder().encode(decoder.decode(bytes).slice(0, end)).length
  for (const place of cutPlaces(bytes.slice(0, told), mostCuts)) {
    expect(replayStream(provider, [bytes.slice(0, place)], false).outcome).not.toBe('complete')
  }
}

function checkAnswer(provider: Provider, file: string): void {
  const expected = expectedFor(file)
  const answer = readAnswer(provider, expected.mode, readFileSync(file, 'utf8'))
  expect(answer.ok ? undefined : answer.error.kind).toBe(expected.error as never)
  if (!answer.ok) return
  expect(answer.usage ?? null).toEqual(counted(expected))
  expect(answer.delivered()).toMatchObject({ text: expected.text ?? '', toolCalls: expected.toolCalls ?? 0 })
}

function checkError(provider: Provider, file: string): void {
  const { kind, ...failure } = readJson(file)
  const error = provider.decodeError(failure)
  expect(error.kind).toBe(kind)
  expect(error.status).toBe(failure.status)
  expect(error.message.length).toBeGreaterThan(0)
}

describe.each(folders.map((folder) => folder.name))('provider %s', (id) => {
  const provider = providers.find((candidate) => candidate.id === id)
  if (provider === undefined) throw new Error(`no provider of the name ${id} in the registry`)
  const own = filesIn(join(source, id, 'fixtures'))
  const isServed = (file: string) => provider.modes.includes(expectedFor(file).mode)
  const streams = (files: readonly string[]) =>
    files.filter((file) => file.endsWith('.stream.sse') && isServed(file))

  it('reads its own streams the same however their bytes are split', () => {
    for (const file of streams(own)) checkStream(provider, file, 3000)
  })

  it('reads the streams of the dialect', () => {
    for (const file of streams(sharedFiles)) checkStream(provider, file, id === 'openai' ? 3000 : 20)
  })

  it('notices a stream that is cut short', () => {
    for (const file of streams(own)) checkTruncation(provider, file, 200)
    for (const file of streams(sharedFiles)) checkTruncation(provider, file, 20)
  })

  it('finds usage and text in whole answers, and failures that pose as answers', () => {
    const answers = [...own, ...sharedFiles].filter(
      (file) => file.endsWith('.upstream.json') && isServed(file),
    )
    for (const file of answers) checkAnswer(provider, file)
  })

  it('tells the kind of every refusal', () => {
    for (const file of [...own, ...sharedFiles].filter((name) => name.endsWith('.error.json')))
      checkError(provider, file)
  })

  it('has a fixture beside every expectation, and the other way round', () => {
    const names = own.map((file) => basename(file)).filter((name) => !name.endsWith('.error.json'))
    const cases = new Set(
      names.map((name) => name.replace(/\.(stream\.sse|upstream\.json|expected\.json)$/, '')),
    )
    expect(names.length).toBe(cases.size * 2)
  })
})
