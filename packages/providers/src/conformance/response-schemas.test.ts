import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  anthropicMessages,
  type ChatPart,
  type Frame,
  gemini,
  noUsage,
  openAiChat,
  openAiResponses,
  type UpstreamCodec,
} from '@tollgate/formats'
import { problemsOf, responseSchemas } from '../../../../tests/support/schemas/index.ts'
import { providerFor } from '../registry.ts'
import { announcedAfter, cutsOf, faultOf } from '../test-support/cut-streams.ts'
import { isOfDeepSeek } from '../test-support/recorded-formats.ts'

/** Recordings of real vendors stay outside the repository. */
const recordings = process.env.TOLLGATE_RECORDINGS

/** Folder to the channel type that would have been called, and the API where it has several. */
const vendors = [
  ['openai-chat', 1, 'openai-chat'],
  ['openai-compatible', 1, 'openai-chat'],
  ['groq', 1000, 'openai-chat'],
  ['alibaba', 17, 'openai-chat'],
  ['moonshotai', 25, 'openai-chat'],
  ['perplexity', 27, 'openai-chat'],
  ['mistral', 42, 'openai-chat'],
  ['deepseek', 43, 'openai-chat'],
  ['xai', 48, 'openai-chat'],
  ['anthropic', 14, 'openai-chat'],
  ['google', 24, 'openai-chat'],
  ['cohere', 34, 'openai-chat'],
  ['amazon-bedrock', 33, 'openai-chat'],
  ['openai-responses', 1, 'openai-responses'],
  ['open-responses', 1007, 'openai-responses'],
  ['xai-responses', 48, 'openai-responses'],
  ['azure', 3, 'openai-responses'],
] as const

/** Number of cuts in one recording. */
const maxCuts = 40

const target = { baseUrl: '', key: '', upstreamModel: 'm', openaiOrganization: '', other: 'v1' }
const dialects = [openAiChat, openAiResponses, anthropicMessages, gemini]
const call = {
  model: 'asked-model',
  responseId: 'r1',
  createdAt: 1_760_000_000,
  nowSeconds: () => 1_760_000_003,
  includeUsage: true,
  estimatedInputTokens: 10,
}

function codecOf(channelType: number, api: 'openai-chat' | 'openai-responses'): UpstreamCodec {
  const operation = providerFor(channelType)?.operation('chat', target, api)
  if (operation === undefined) throw new Error(`no provider serves channels of type ${channelType}`)
  return operation.codec ?? openAiChat
}

/** Those of chats that succeeded. */
function filesOf(vendor: string, suffix: string): readonly string[] {
  if (recordings === undefined) return []
  return readdirSync(join(recordings, vendor))
    .filter((name) => name.endsWith(suffix) && !/error|embedding|429/.test(name))
    .filter((name) => vendor !== 'azure' || !isOfDeepSeek(name))
    .map((name) => join(recordings, vendor, name))
}

/** A line `{"<event>": <payload>}` of Bedrock is one frame. */
function frameOf(vendor: string, line: string): Frame {
  const event = JSON.parse(line)
  if (vendor !== 'amazon-bedrock') return { event: event.type ?? '', data: line }
  const [name = '', payload] = Object.entries(event)[0] ?? []
  return { event: name, data: JSON.stringify(payload) }
}

function framesOf(vendor: string, file: string): readonly Frame[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => frameOf(vendor, line))
}

function partsOf(vendor: string, codec: UpstreamCodec, file: string): readonly ChatPart[] {
  const state = codec.decodeStream.start()
  const parts = framesOf(vendor, file).flatMap((frame) => codec.decodeStream.step(state, frame))
  return [...parts, ...codec.decodeStream.finish(state)]
}

describe.skipIf(recordings === undefined).each([...vendors])('recordings of %s', (vendor, type, api) => {
  const codec = codecOf(type, api)

  it.each(dialects.map((dialect) => [dialect.format, dialect] as const))(
    'are said in %s as its vendor’s schema has it',
    (format, dialect) => {
      const schema = responseSchemas[format as keyof typeof responseSchemas]
      const [responses, streams] = [filesOf(vendor, '.json'), filesOf(vendor, '.chunks.txt')]
      expect(responses.length + streams.length).toBeGreaterThan(0)
      for (const file of responses) {
        const reading = codec.decodeResponse(JSON.parse(readFileSync(file, 'utf8')))
        if (!reading.ok) throw new Error(`${file}: ${reading.error.message}`)
        expect(problemsOf(schema.buffered, dialect.encodeResponse(reading.response, call))).toBe('')
      }
      for (const file of streams) {
        const state = dialect.encodeStream.start(call)
        const parts = partsOf(vendor, codec, file)
        const frames = parts.flatMap((part) => dialect.encodeStream.step(state as never, part))
        frames.push(...dialect.encodeStream.finish(state as never, noUsage))
        for (const { data } of frames)
          if (data !== '[DONE]') expect(problemsOf(schema.event, JSON.parse(data))).toBe('')
      }
    },
  )

  it.each(dialects.map((dialect) => [dialect.format, dialect] as const))(
    'announce in %s no call that is not whole, wherever they are cut',
    (_format, dialect) => {
      for (const file of filesOf(vendor, '.chunks.txt')) {
        const frames = framesOf(vendor, file)
        const uncut = announcedAfter(codec, dialect, frames)
        const cuts = cutsOf(codec, frames)
        const step = Math.ceil(cuts.length / maxCuts)
        for (const { frames: cut, fails } of cuts.filter((_, index) => index % step === 0))
          expect(faultOf(uncut, announcedAfter(codec, dialect, cut), fails)).toBe('')
      }
    },
  )
})
