import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  anthropicMessages,
  type BodyFindings,
  type ContentShape,
  contentOutline,
  contentShape,
  gemini,
  openAiChat,
  openAiResponses,
  WireResponse,
} from '@tollgate/formats'
import { type Operation, providers } from '@tollgate/providers'
import fc from 'fast-check'
import { deadline } from '../../../../../../scripts/deadline/deadline.mjs'
import { readBody } from '../../../upstream/response-body/read-body.ts'
import { createResponseMemory } from '../../../upstream/response-body/response-memory.ts'
import { roughDelivered, roughOutline } from '../charge/output-bound.ts'
import { createChatDialect } from '../dialects/chat-dialect.ts'
import type { CallRequest, ResponseReading } from '../dialects/dialect.ts'
import { generatedResponses } from './test-support/generated-responses.ts'

/** Recordings of real vendors stay outside the repository. */
const recordings = process.env['TOLLGATE_RECORDINGS']
const counting = { countPrompt: async () => 1, countDelivered: async () => 1, roughPrompt: () => 1 }
const memory = createResponseMemory({ limitBytes: 1 << 30, accountLimitBytes: 1 << 30 })
const call = { requestId: 'r', createdAt: 1 }

const dialects = [
  ['openai', openAiChat],
  ['responses', openAiResponses],
  ['anthropic', anthropicMessages],
  ['gemini', gemini],
] as const

const requests: readonly CallRequest[] = dialects.map(([name, codec]) => {
  const dialect = createChatDialect(name, codec, { counting, maxJsonDepth: 64, maxFrameBytes: 1 << 20 })
  const messages = [{ role: 'user', content: 'hi' }]
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
  const body = { model: 'm', max_tokens: 9, messages, contents, input: 'hi' }
  const received = {
    match: { model: 'm', stream: false },
    query: '',
    headers: new Headers(),
    owner: noOwner(),
  }
  const read = dialect.read('chat', { text: JSON.stringify(body) }, received)
  if (read instanceof Promise) throw new Error('a request is read at once')
  return read.request
})

function noOwner() {
  return { userId: 1, tokenId: 1 }
}

const target = { baseUrl: 'http://a', key: 'k', openaiOrganization: '', other: '', upstreamModel: 'm' }

/** An operation that a response in the caller's own format passes from as it came. */
function operationOf({ format }: CallRequest): Operation {
  const operations = providers.flatMap((provider) => provider.operation('chat', target, format) ?? [])
  const operation = operations.find((each) => each.format === format && each.normalizeResponse === undefined)
  if (operation === undefined) throw new Error(`no operation has ${format}`)
  return operation
}

function responseOf(text: string): Parameters<typeof readBody>[0] {
  const bytes = Buffer.from(text)
  let at = 0
  return {
    header: () => null,
    async read() {
      if (at >= bytes.length) return { done: true }
      const value = bytes.subarray(at, at + 30_000)
      at += value.length
      return { done: false, value }
    },
    buffered: async () => bytes,
  }
}

/** Reads a body as a call does, from its pieces to what its caller gets. */
async function readAsCall(request: CallRequest, text: string): Promise<ResponseReading> {
  const read = await readBody(responseOf(text), {
    limitBytes: 8 << 20,
    enter: () => memory.enter(1),
    outlined: () => contentShape(request.format),
  })
  if (read.kind !== 'complete') throw new Error(`the body is ${read.kind}`)
  const wire = new WireResponse(read.bytes, 'application/json', () => null, read.findings)
  return request.readResponse(wire, operationOf(request), call)
}

function factsOf(reading: ResponseReading) {
  if (!reading.ok) return { error: reading.error }
  const { usage, latestUsage } = reading
  return { usage, latestUsage, delivered: reading.delivered() }
}

function bodyOf(reading: ResponseReading): string {
  if (!reading.ok) return ''
  return Buffer.from(reading.encode(reading.usage ?? ({} as never))).toString()
}

function recordedBodies(): readonly (readonly [name: string, text: string])[] {
  if (recordings === undefined) return []
  const folder = recordings
  const names = readdirSync(folder, { recursive: true }).map(String)
  const bodies = names.filter((name) => name.endsWith('.json'))
  return bodies.map((name) => [name, readFileSync(join(folder, name), 'utf8')])
}

/** Bodies that say the same, longer than those that are read without a look at their structure. */
const longer: readonly ((text: string) => string)[] = [
  (text) => `${' '.repeat(70_000)}${text}`,
  (text) => text.replace('{', `{"padding":"${'\\"{['.repeat(20_000)}",`),
  (text) => text.replace('{', `{"padding":[${'{"usage":{"total_tokens":7},"a":[1,"x"]},'.repeat(3000)}0],`),
]

/** The same with something long in what they deliver, of which an outline has the usage. */
const longContent = /"(?:choices|content|candidates|output)"\s*:\s*\[\s*\{/
const paddings = [`"${'\\"{['.repeat(20_000)}"`, `"${'\u00e9\ud83d\ude00'.repeat(20_000)}"`]
const delivering = paddings.map(
  (padding) => (text: string) => text.replace(longContent, (start) => `${start}"padding":${padding},`),
)

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 }
const logprobs = {
  content: Array.from({ length: 2000 }, () => ({ token: 'a', logprob: -1, top_logprobs: [] })),
}
const choice = { index: 0, message: { role: 'assistant', content: 'Hi "usage":{' }, finish_reason: 'stop' }
const written: readonly (readonly [name: string, text: string])[] = [
  ['usage before the choices', JSON.stringify({ usage, choices: [choice] })],
  ['usage within a text', JSON.stringify({ choices: [choice], note: '"usage":{"prompt_tokens":9}' })],
  [
    'usage twice',
    `{"usage":{"prompt_tokens":1},"choices":[${JSON.stringify(choice)}],"usage":${JSON.stringify(usage)}}`,
  ],
  [
    'usage with an escaped name',
    `{"choices":[${JSON.stringify(choice)}],"us\\u0061ge":${JSON.stringify(usage)}}`,
  ],
  ['usage of nothing', JSON.stringify({ choices: [choice], usage: null })],
  ['a total alone', JSON.stringify({ choices: [choice], usage: { total_tokens: 12 } })],
  ['probabilities', JSON.stringify({ choices: [{ ...choice, logprobs }], usage })],
  ['a failure', JSON.stringify({ error: { message: 'no', type: 'server_error' } })],
  ['an end within', JSON.stringify({ choices: [choice], usage }).slice(0, -9)],
  ['something behind it', `${JSON.stringify({ choices: [choice], usage })} {}`],
]

/** Compares what is read of the outline of a body with what is read of all of it. @returns whether the outline was enough */
function countAlike(request: CallRequest, shape: ContentShape, text: string): boolean {
  const bytes = Buffer.from(text)
  const operation = operationOf(request)
  const read = (findings?: BodyFindings) =>
    request.readResponse(new WireResponse(bytes, 'application/json', () => null, findings), operation, call)
  const short = read({ isBounded: true, outline: contentOutline(bytes, shape) })
  const whole = read()
  expect([factsOf(short), bodyOf(short)]).toEqual([factsOf(whole), bodyOf(whole)])
  if (!short.ok || !whole.ok || short.outline === undefined) return false
  expect(roughOutline(short.outline)).toBeGreaterThanOrEqual(roughDelivered(whole.delivered()))
  return true
}

/** Reads a body and its longer ones, and compares them. @returns whether a usage was found to charge */
async function compare(request: CallRequest, name: string, text: string): Promise<boolean> {
  const short = await readAsCall(request, text)
  const passes = bodyOf(short) === text
  for (const lengthen of [...longer, ...delivering]) {
    const body = lengthen(text)
    const long = await readAsCall(request, body)
    if (short.ok) expect([name, factsOf(long)]).toEqual([name, factsOf(short)])
    else expect([name, long.ok]).toEqual([name, false])
    if (passes) expect(bodyOf(long) === body).toBe(true)
  }
  return short.ok && short.usage !== undefined
}

describe('a long response', () => {
  it.each(requests.map((request) => [request.format, request] as const))(
    'of %s is read as a short one is: same usage, same text, its own bytes',
    async (_, request) => {
      for (const [name, text] of [...recordedBodies(), ...written]) await compare(request, name, text)
    },
  )

  it.each(requests.map((request) => [request.format, request] as const))(
    'of %s is counted by its outline as by all of it, in 2,500 generated ones',
    (_, request) => {
      const responses = generatedResponses[request.format]
      const shape = contentShape(request.format)
      if (responses === undefined || shape === undefined) throw new Error('the format has no outline')
      let outlined = 0
      const property = fc.property(responses, (text) => {
        outlined += countAlike(request, shape, text) ? 1 : 0
      })
      fc.assert(property, { numRuns: 2500 })
      expect(outlined).toBeGreaterThan(250)
    },
    deadline(60_000),
  )

  it('is charged by its own usage, wherever that stands', async () => {
    const [chat] = requests
    if (chat === undefined) throw new Error('no dialect')
    const charged: string[] = []
    for (const [name, text] of written) if (await compare(chat, name, text)) charged.push(name)
    expect(charged).toEqual([
      'usage before the choices',
      'usage twice',
      'usage with an escaped name',
      'probabilities',
    ])
  })
})
