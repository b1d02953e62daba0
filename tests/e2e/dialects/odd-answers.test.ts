import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { dialectCalls, send } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import {
  answers,
  asEvents,
  asJson,
  framed,
  rawAnswers,
  textUpstreams,
} from '../../support/protocols/raw-answers.ts'
import {
  addChannelTo,
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await priceModels(operator, { model: 1, completion: 1 })
  await operator.option('ToolPrice', '{"house-*":{"web_search":10,"x_search":5,"server_side_tool":5}}')
  await operator.option('LengthPrice', '{"house-*":[{"above":1000,"input":2,"output":2}]}')
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})
beforeEach(() => {
  for (const { upstream } of Object.values(upstreams)) upstream.forget()
})

/** Runs a call to its end: what came back, and what it cost. */
async function called(dialect: (typeof dialectCalls)[number], model: string, stream: boolean, body?: object) {
  const [before, rows] = [await operator.quota(), await operator.consumed()]
  const response = await send(gateway, dialect, model, key, { stream, ...(body && { body }) })
  const text = await response.text()
  const { status, headers } = response
  const warning = headers.get('x-tollgate-warning')
  if (status !== 200) return { status, text, warning, quota: before - (await operator.quota()), other: {} }
  const row = await operator.consumption(rows + 1)
  expect(before - (await operator.quota())).toBe(row.quota)
  return { status, text, warning, quota: row.quota, other: JSON.parse(row.other) }
}

/** Formats by the names of upstreams and of callers: the same word says both. */
const cells = dialectCalls.flatMap((dialect) =>
  textUpstreams.map((name) => [dialect.name, name, dialect] as const),
)

describe.each(cells)('a caller who speaks %s, over an upstream that is %s,', (caller, name, dialect) => {
  const { body, events, unknown } = rawAnswers[name]
  const modelOf = () => upstreams[name].model
  const answersWith = (behaviour: Parameters<DialectUpstream['upstream']['otherwise']>[0]) =>
    upstreams[name].upstream.otherwise(behaviour)

  it('gets one response of a stream that it did not ask for, charged by its counts', async () => {
    answersWith(asEvents(name, events))
    const { text, quota, other } = await called(dialect, modelOf(), false)
    expect(dialect.textIn(text)).toBe('served')
    expect(() => JSON.parse(text)).not.toThrow()
    expect([quota, other.estimated]).toEqual([15, undefined])
  })

  it('gets an error for half of such a stream, and pays nothing', async () => {
    answersWith(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(events[0])}\n\n`)
    })
    const { status, quota } = await called(dialect, modelOf(), false)
    expect([status >= 500, quota]).toEqual([true, 0])
  })

  it('gets a stream of a response that did not stream, charged by its counts', async () => {
    answersWith(asJson(body))
    const { text, quota, other } = await called(dialect, modelOf(), true)
    expect(dialect.textIn(text)).toBe('served')
    expect(text).toMatch(dialect.endMark)
    expect([quota, other.estimated]).toEqual([15, undefined])
  })

  it.each(['application/json', 'text/plain', undefined])(
    'gets a stream as it comes, whatever media type its upstream calls it: %p',
    async (type) => {
      answersWith(async ({ response }) => {
        response.writeHead(200, type === undefined ? {} : { 'content-type': type })
        const stream = framed(name, events)
        response.write(stream.slice(0, -20))
        await Bun.sleep(20)
        response.end(stream.slice(-20))
      })
      const { text, quota, other } = await called(dialect, modelOf(), true)
      expect(dialect.textIn(text)).toBe('served')
      expect(text).toMatch(dialect.endMark)
      expect([quota, other.estimated]).toEqual([15, undefined])
    },
  )

  it.each([false, true])(
    'learns of what it does not get, or gets it untouched; streamed: %p',
    async (stream) => {
      const [first = {}, ...others] = events
      const odd = [first, ...unknown.events, ...others]
      answersWith(stream ? asEvents(name, odd) : asJson(unknown.body))
      const { status, text, warning, quota } = await called(dialect, modelOf(), stream)
      expect([status, quota]).toEqual([200, 15])
      expect(text).toContain('served')
      if (caller === name) {
        expect(warning).toBeNull()
        for (const event of stream ? unknown.events : [unknown.body])
          expect(text).toContain(JSON.stringify(event))
      } else expect(warning).toBe(`not carried from the upstream: ${unknown.name}`)
    },
  )
})

it('gets a stream of the list that a Gemini upstream sends where events were asked for', async () => {
  const { model, upstream } = upstreams.gemini
  upstream.otherwise(answers('application/json', JSON.stringify(rawAnswers.gemini.events)))
  for (const dialect of dialectCalls) {
    const { text, quota } = await called(dialect, model, true)
    expect([dialect.textIn(text), quota]).toEqual(['served', 15])
    expect(text).toMatch(dialect.endMark)
  }
})

it('gets ids that its conversation does not have for calls of an upstream that numbers them anew', async () => {
  const tool = { name: 'run', input_schema: { type: 'object', properties: {} } }
  const turn = (id: string) => [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'run', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: id }] },
  ]
  const [, , anthropic] = dialectCalls
  const conversation = { messages: [{ role: 'user', content: 'Run.' }, ...turn('call_0')], tools: [tool] }
  const call = { index: 0, id: 'call_0', type: 'function', function: { name: 'run', arguments: '{}' } }
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  const { model, upstream } = upstreams.openai
  for (const stream of [false, true]) {
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    upstream.otherwise(
      stream
        ? asEvents('openai', [
            { id: 'c', choices: [{ index: 0, delta: message }] },
            { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage },
          ])
        : asJson({ id: 'c', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage }),
    )
    const body = { ...anthropic.body(model, stream), ...conversation }
    expect((await called(anthropic, model, stream, body)).text).toContain('"id":"call_0_2"')
  }
})

/** Half of a call, and the end mark of the format behind it. */
const endsInCall: Readonly<Partial<Record<(typeof textUpstreams)[number], readonly object[]>>> = {
  openai: [
    {
      id: 'c',
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 0,
                id: 'c0',
                type: 'function',
                function: { name: 'run', arguments: '{"cmd":"rm -rf /srv' },
              },
            ],
          },
          finish_reason: null,
        },
      ],
    },
  ],
  responses: [
    { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'run', arguments: '' },
    },
    {
      type: 'response.function_call_arguments.delta',
      item_id: 'f',
      output_index: 0,
      delta: '{"cmd":"rm -rf /srv',
    },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } },
  ],
  anthropic: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', content: [], model: 'm' },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 't', name: 'run', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: '{"cmd":"rm -rf /srv' },
    },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
}
const endings = cells.filter(([, name]) => endsInCall[name] !== undefined)

describe('an end mark that stands inside of a call', () => {
  it.each(endings)(
    'is no end for a caller who speaks %s, over an upstream that is %s',
    async (_, name, dialect) => {
      const events = endsInCall[name] as readonly Record<string, unknown>[] // The others are left out above.
      upstreams[name].upstream.otherwise(asEvents(name, events))
      const response = await send(gateway, dialect, upstreams[name].model, key, { stream: true })
      const text = await response.text()
      expect(text).not.toMatch(dialect.endMark)
      expect(text).toMatch(/"error"|response\.failed|MALFORMED_FUNCTION_CALL/)
    },
  )
})

const priceOf = (calls: number, price: number) => ({ calls, price })

describe.each(dialectCalls.map((dialect) => [dialect.name, dialect] as const))(
  'tools that the vendor ran for a caller who speaks %s',
  (_, dialect) => {
    const ran = (usage: object, ...types: readonly string[]) => {
      const { output, usage: counts } = rawAnswers.responses.body as { output: object[]; usage: object }
      return {
        ...rawAnswers.responses.body,
        output: [...types.map((type) => ({ type, status: 'completed' })), ...output],
        usage: { ...counts, ...usage },
      }
    }

    it.each([false, true])(
      'are charged by the vendor’s count, and unknown ones reported; streamed: %p',
      async (stream) => {
        const answer = (body: Record<string, unknown>) => {
          const created = { type: 'response.created', response: { id: 'resp_1' } }
          const stated = { type: 'response.output_text.delta', output_index: 9, delta: 'served' }
          const events = [created, stated, { type: 'response.completed', response: body }]
          upstreams.responses.upstream.otherwise(stream ? asEvents('responses', events) : asJson(body))
          return called(dialect, upstreams.responses.model, stream)
        }
        const searched = await answer(ran({}, 'x_search_call', 'x_search_call', 'y_call'))
        expect(searched.quota).toBe(15 + 2 * 2500)
        expect(searched.other.tool_calls).toEqual({ x_search: priceOf(2, 5), y_call: priceOf(1, 0) })
        const counted = await answer(ran({ num_server_side_tools_used: 3 }, 'x_search_call'))
        expect(counted.quota).toBe(15 + 3 * 2500)
        expect(counted.other.tool_calls).toEqual({ x_search: priceOf(1, 5), server_side_tool: priceOf(2, 5) })
      },
    )

    it.each([false, true])('do not make one long prompt of several; streamed: %p', async (stream) => {
      const prompts = (...sizes: readonly number[]) => ({
        input_tokens: sizes.reduce((sum, size) => sum + size),
        output_tokens: 5,
        iterations: sizes.map((input_tokens) => ({ type: 'message', input_tokens, output_tokens: 1 })),
      })
      const answer = (usage: object) => {
        const body = { ...rawAnswers.anthropic.body, usage }
        const events = rawAnswers.anthropic.events.map((event) =>
          event.type === 'message_delta' ? { ...event, usage } : event,
        )
        upstreams.anthropic.upstream.otherwise(stream ? asEvents('anthropic', events) : asJson(body))
        return called(dialect, upstreams.anthropic.model, stream)
      }
      expect((await answer(prompts(900, 900))).quota).toBe(1805)
      expect((await answer(prompts(700, 1100))).quota).toBe(3610)
      expect((await answer(prompts(1800))).quota).toBe(3610)
    })
  },
)

describe('a conversation that OpenAI compacted', () => {
  const responses = dialectCalls.find(({ name }) => name === 'responses')

  it.each(['openai', 'anthropic', 'gemini', 'bedrock'] as const)(
    'is refused by the name of its item, uncharged and unsent, over an upstream that is %s',
    async (name) => {
      if (responses === undefined) throw new Error('no such dialect')
      const { model, upstream } = upstreams[name]
      for (const stream of [false, true]) {
        const input = [
          { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' },
          { role: 'user', content: 'and now?' },
        ]
        const { status, text, quota } = await called(responses, model, stream, { model, stream, input })
        expect([status, quota, upstream.calls.length]).toEqual([400, 0, 0])
        expect(JSON.parse(text)).toMatchObject({ error: { param: 'input[0]' } })
      }
    },
  )

  it('goes to the channel that can read it, whichever comes first, without a retry', async () => {
    if (responses === undefined) throw new Error('no such dialect')
    const model = 'house-shared'
    await operator.option('ModelRatio', JSON.stringify({ [model]: 1 }))
    await operator.option('RetryTimes', '0')
    await addChannelTo(operator, 'anthropic', upstreams.anthropic.upstream, { models: model, priority: 10 })
    await addChannelTo(operator, 'responses', upstreams.responses.upstream, { models: model })
    upstreams.responses.upstream.otherwise(asJson(rawAnswers.responses.body))
    const input = [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }]
    const { status } = await called(responses, model, false, { model, input })
    expect(status).toBe(200)
    expect(upstreams.responses.upstream.calls[0]?.json.input).toEqual(input)
  })
})
