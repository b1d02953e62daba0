import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError } from '@google/genai'
import OpenAI from 'openai'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { announcedIn } from '../../support/announced-calls.ts'
import { type DialectName, dialectCalls, dialectForms, send } from '../../support/dialects/dialect-calls.ts'
import {
  anthropicCaller,
  geminiCaller,
  openAiCaller,
  responsesCaller,
  type SdkAsk,
} from '../../support/dialects/sdk-callers.ts'
import { type Operator, operate } from '../../support/operator.ts'
import type { Scripted } from '../../support/protocols/protocol.ts'
import {
  cutsAfter,
  failsAfter,
  garblesAfter,
  refuses,
  type ScriptedBehaviour,
  says,
} from '../../support/protocols/scripted-upstream.ts'
import {
  healPairs,
  priceModels,
  startPairs,
  stopPairs,
  type UpstreamName,
  type UpstreamPair,
  upstreamKinds,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(20_000))

let gateway: Tollgate
let operator: Operator
let pairs: Readonly<Record<UpstreamName, UpstreamPair>>
let key: string
let sdks: Readonly<Record<DialectName, SdkAsk>>

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  await operator.option('RetryTimes', '2')
  await priceModels(operator, { model: 1, completion: 1 })
  pairs = await startPairs(operator, upstreamNames)
  key = (await operator.addKey()).key
  const options = { gatewayUrl: gateway.url, key }
  sdks = {
    openai: openAiCaller(options),
    responses: responsesCaller(options),
    anthropic: anthropicCaller(options),
    gemini: geminiCaller(options),
  }
})
afterAll(async () => {
  await gateway?.stop()
  await stopPairs(pairs)
})
beforeEach(() => healPairs(operator, pairs))

const sdkErrors = {
  openai: OpenAI.APIError,
  responses: OpenAI.APIError,
  anthropic: Anthropic.APIError,
  gemini: ApiError,
} as const
const { model } = upstreamKinds.openai

/** Runs a call and returns its cost. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = await operator.quota()
  await work()
  return before - (await operator.quota())
}

describe.each(dialectForms)('a caller who speaks as %s does', (_name, dialect) => {
  it.each([false, true])('is refused a bad key with 401 (stream: %p)', async (stream) => {
    const response = await send(gateway, dialect, model, `sk-${'x'.repeat(48)}`, { stream })
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(dialect.errorIn(await response.text())?.kind).toBe(dialect.kinds[401])
  })

  it('gets a 404 for a model that no channel has', async () => {
    const response = await send(gateway, dialect, 'nobody-has-this', key)
    expect(response.status).toBe(404)
    const error = dialect.errorIn(await response.text())
    expect(error?.kind).toBe(dialect.kinds[404])
    expect(error?.message).toContain('nobody-has-this')
  })

  it('is refused with 403 what its key cannot pay', async () => {
    const userWithoutQuota = await operator.addKey({ unlimited_quota: false, remain_quota: 1 })
    const response = await send(gateway, dialect, model, userWithoutQuota.key, { stream: true })
    expect(response.status).toBe(403)
    const error = dialect.errorIn(await response.text())
    expect(error?.kind).toBe(dialect.kinds[403])
    expect(error?.message).toMatch(
      /Insufficient quota of this key: the \$0\.000002 left is too low: this call may cost \$\d/,
    )
  })

  it('gets a 400 that names the invalid field', async () => {
    const field = dialect.conversation
    const body = { ...dialect.body(model, false), [field]: 7 }
    const response = await send(gateway, dialect, model, key, { body })
    expect(response.status).toBe(400)
    const error = dialect.errorIn(await response.text())
    expect(error?.kind).toBe(dialect.kinds[400])
    expect(error?.message).toContain(field)
  })
})

describe('an API key', () => {
  const positions = ['authorization', 'x-api-key', 'x-goog-api-key'] as const
  const everyPosition = dialectCalls.flatMap((dialect) =>
    positions.map((position) => [dialect.name, position, dialect] as const),
  )

  it.each(everyPosition)('of a caller who speaks %s is found in %s', async (_name, position, dialect) => {
    const response = await fetch(gateway.url + dialect.path(model, false), {
      method: 'POST',
      headers: { [position]: position === 'authorization' ? `Bearer ${key}` : key },
      body: JSON.stringify(dialect.body(model, false)),
    })
    expect(response.status).toBe(200)
    expect(dialect.textIn(await response.text())).toBe('Hello.')
  })

  it('is found in the query of the Gemini dialect alone, and goes no further', async () => {
    const { model, first } = pairs.gemini
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'Hi' }] }] })
    const path = `/v1beta/models/${model}:streamGenerateContent?key=${key}&alt=sse`
    const response = await fetch(gateway.url + path, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(await response.text()).toStartWith('data: ')
    expect(first.calls[0]?.query).toBe('?alt=sse')
    const elsewhere = await fetch(`${gateway.url}/v1/messages?key=${key}`, { method: 'POST', body: '{}' })
    expect(elsewhere.status).toBe(401)
  })
})

const reply: Scripted = { text: ['one ', 'two ', 'three '] }
const cells = dialectCalls.flatMap(({ name }) => upstreamNames.map((upstream) => [name, upstream] as const))

describe.each(cells)('the %s SDK over an upstream that is %s', (caller, upstream) => {
  const failures: readonly (readonly [string, string, ScriptedBehaviour])[] = [
    ['reports an error', 'upstream_error', failsAfter(2, reply, 'no more of this')],
    ['breaks off', 'upstream_cut', cutsAfter(2, reply)],
    ['sends an event that cannot be read', 'upstream_error', garblesAfter(2, reply)],
  ]
  it.each(failures)(
    'raises when it %s after the first token, and pays what it got (%s)',
    async (_what, ended, failing) => {
      const { model, first, second } = pairs[upstream]
      first.otherwise(failing)
      const rows = await operator.consumed()
      const spent = await costOf(async () => {
        const raised = await sdks[caller]({ model, stream: true, withTool: false }).catch((error) => error)
        expect(raised).toBeInstanceOf(sdkErrors[caller])
      })
      const row = await operator.consumption(rows + 1)
      expect(row.quota).toBe(spent)
      // `one`, ` two` and the blank behind it.
      expect(row.completion_tokens).toBe(3)
      expect(row.quota).toBe(row.prompt_tokens + row.completion_tokens)
      expect(JSON.parse(row.other)).toMatchObject({ estimated: true, ended })
      expect(second.calls).toHaveLength(0)
    },
  )

  const hidden: readonly (readonly [string, ScriptedBehaviour])[] = [
    ['refuses', refuses(503, 'overloaded')],
    ['reports an error', failsAfter(0, reply, 'no more of this')],
    ['breaks off', cutsAfter(0, reply)],
    ['sends an event that cannot be read', garblesAfter(0, reply)],
  ]
  it.each(hidden)(
    'sees nothing when it %s before the first token and another serves',
    async (_what, failing) => {
      const { model, first, second } = pairs[upstream]
      first.otherwise(failing)
      second.otherwise(says({ text: ['from the second'] }))
      const spent = await costOf(async () => {
        const served = await sdks[caller]({ model, stream: true, withTool: false })
        expect(served.text).toBe('from the second')
      })
      expect(first.calls).toHaveLength(1)
      expect(spent).toBe(15)
    },
  )
})

/** Half of a call, behind which the stream ends in good order. */
const endsInCall: ScriptedBehaviour = ({ call, response, protocol }) => {
  const framesOf = (rest: string) => {
    const toolCalls = [{ id: 'call_1', name: 'shell', pieces: ['{"cmd":"rm -rf ', rest] }]
    return protocol.frames({ text: ['on it '], toolCalls }, call).map(({ bytes }) => Buffer.from(bytes))
  }
  const [frames, others] = [framesOf('/srv/build"}'), framesOf('/tmp"}')]
  const half = frames.findIndex((frame, index) => !others[index]?.equals(frame))
  response.writeHead(200, { 'content-type': protocol.streamType })
  response.end(Buffer.concat(frames.slice(0, half)))
}

const formats = {
  openai: 'openai-chat',
  responses: 'openai-responses',
  anthropic: 'anthropic-messages',
  gemini: 'gemini',
} as const
const callCells = dialectCalls.flatMap((dialect) =>
  upstreamNames.map((upstream) => [dialect.name, upstream, dialect] as const),
)

describe('an upstream that ends its stream inside of a call', () => {
  it.each(callCells)(
    'makes no call for a caller of %s (%s), who pays what was delivered',
    async (name, upstream, dialect) => {
      const { model, first, second } = pairs[upstream]
      first.otherwise(endsInCall)
      const rows = await operator.consumed()
      const text = await (await send(gateway, dialect, model, key, { stream: true })).text()
      expect(announcedIn(formats[name], text)).toEqual({ calls: [], terminal: 'error' })
      const row = await operator.consumption(rows + 1)
      expect(JSON.parse(row.other)).toMatchObject({ ended: 'upstream_cut' })
      expect(row.completion_tokens).toBeGreaterThan(0)
      expect(second.calls).toHaveLength(0)
    },
  )
})

describe('an upstream that reports an error along with its first word, and stays open', () => {
  const together: ScriptedBehaviour = ({ call, response, protocol }) => {
    const frames = protocol.frames({ text: ['one '] }, call)
    const delivering = frames.findIndex(({ delivers }) => delivers)
    const start = frames.slice(0, delivering + 1).map(({ bytes }) => bytes)
    response.writeHead(200, { 'content-type': protocol.streamType })
    response.write(Buffer.concat([...start, protocol.failure('no more of this')]))
  }

  it.each([...upstreamNames])(
    'ends the stream at once (%s)',
    async (upstream) => {
      const { model, first } = pairs[upstream]
      first.otherwise(together)
      const rows = await operator.consumed()
      const raised = await sdks.openai({ model, stream: true, withTool: false }).catch((error) => error)
      expect(raised).toBeInstanceOf(OpenAI.APIError)
      const row = await operator.consumption(rows + 1)
      expect(JSON.parse(row.other)).toMatchObject({ ended: 'upstream_error', estimated: true })
    },
    deadline(5000),
  )
})

describe.each(dialectForms)('a stream as %s reads it', (_name, dialect) => {
  it('ends in an error event, and not as if it were whole, when its upstream breaks off', async () => {
    const { model, first } = pairs.openai
    first.otherwise(cutsAfter(2, reply))
    const text = await (await send(gateway, dialect, model, key, { stream: true })).text()
    expect(dialect.textIn(text)).toBe('one two ')
    expect(dialect.errorIn(text)?.message).toContain('upstream')
    expect(text).not.toMatch(dialect.endMark)
  })
})
