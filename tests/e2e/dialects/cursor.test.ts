import { afterAll, beforeAll, beforeEach, describe, expect, it, setDefaultTimeout } from 'bun:test'
import { deadline } from '../../../scripts/deadline/deadline.mjs'
import { dialectCalls, send } from '../../support/dialects/dialect-calls.ts'
import { type Operator, operate } from '../../support/operator.ts'
import { says } from '../../support/protocols/scripted-upstream.ts'
import {
  addChannelTo,
  type DialectUpstream,
  priceModels,
  startDialectUpstreams,
  type UpstreamName,
  upstreamNames,
} from '../../support/protocols/upstream-channels.ts'
import { startTollgate, type Tollgate } from '../../support/server.ts'

setDefaultTimeout(deadline(30_000))

/** OpenAI's model with functions beside reasoning in Responses alone. */
const reasoning = 'gpt-5.6-sol'

let gateway: Tollgate
let operator: Operator
let upstreams: Readonly<Record<UpstreamName, DialectUpstream>>
let key: string

beforeAll(async () => {
  gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  operator = await operate(gateway.url)
  upstreams = await startDialectUpstreams(operator)
  await addChannelTo(operator, 'responses', upstreams.responses.upstream, { models: reasoning })
  await priceModels(operator, { model: 1, completion: 1 }, [reasoning])
  key = (await operator.addKey()).key
})
afterAll(async () => {
  await gateway?.stop()
  for (const { upstream } of Object.values(upstreams ?? {})) await upstream.stop()
})
beforeEach(() => {
  for (const { upstream } of Object.values(upstreams)) {
    upstream.forget()
    upstream.otherwise(
      says({ text: ['Now.'], toolCalls: [{ id: 'c2', name: 'Read', pieces: ['{"path"', ':"b"}'] }] }),
    )
  }
})

const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

/** Bodies that Cursor's agent writes to `/v1/chat/completions`, by the vendor that it takes the model for. */
const bodies = {
  OpenAI: {
    input: [
      { role: 'system', content: 'You edit code.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Read a.' }] },
      { type: 'function_call', call_id: 'c1', name: 'Read', arguments: '{"path":"a"}' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'I read it.' }] },
      { type: 'function_call_output', call_id: 'c1', output: 'content of a' },
    ],
    tools: [{ type: 'function', name: 'Read', description: 'Reads.', parameters: schema }],
    include: ['reasoning.encrypted_content'],
    store: false,
    text: { verbosity: 'low' },
    stream_options: { include_usage: true },
  },
  Anthropic: {
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'You edit code.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'content of a' }] },
    ],
    tools: [{ name: 'Read', description: 'Reads.', input_schema: schema }],
    tool_choice: { type: 'auto' },
    stream_options: { include_usage: true },
  },
} as const

const cells = upstreamNames.flatMap((to) =>
  (Object.keys(bodies) as readonly (keyof typeof bodies)[]).flatMap((form) =>
    [true, false].map((stream) => [form, to, stream] as const),
  ),
)

interface Choice {
  readonly message?: CallDelta
  readonly delta?: CallDelta
}
interface CallDelta {
  readonly tool_calls?: readonly {
    readonly function?: { readonly name?: string; readonly arguments?: string }
    readonly custom?: { readonly name?: string; readonly input?: string }
  }[]
}

/** Returns the call that a response of Chat Completions makes, streamed or not: its name, and its arguments or its free text. */
function callsIn(
  reply: string,
  type: 'function' | 'custom' = 'function',
): readonly (readonly [string, string])[] {
  const bodies = reply.startsWith('{')
    ? [JSON.parse(reply)]
    : [...reply.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  const pieces = bodies.flatMap(({ choices }) =>
    choices.flatMap(({ message, delta }: Choice) => (message ?? delta)?.tool_calls ?? []),
  )
  const text = type === 'function' ? 'arguments' : 'input'
  const joined = (member: string) => pieces.map((piece) => piece[type]?.[member] ?? '').join('')
  return pieces.length === 0 ? [] : [[joined('name'), joined(text)]]
}

describe("a call of Cursor's agent", () => {
  it.each(cells)(
    'in the words of %s reaches an upstream of %s and is charged (stream: %p)',
    async (form, to, stream) => {
      const { model, upstream } = upstreams[to]
      const [before, rows] = [await operator.quota(), await operator.consumed()]
      const [openai] = dialectCalls
      const body = { ...bodies[form], model, ...(stream && { stream }) }
      const response = await send(gateway, openai, model, key, { body })
      const reply = await response.text()
      expect([response.status, response.status === 200 ? '' : reply]).toEqual([200, ''])
      expect(callsIn(reply)).toEqual([['Read', '{"path":"b"}']])
      if (stream) expect(reply).toMatch(openai.endMark)
      const [call] = upstream.calls
      if (call === undefined) throw new Error('nothing was sent')
      const { tools, toolTurns } = upstream.protocol.reported(call)
      expect(tools).toEqual(['Read'])
      expect(toolTurns).toEqual([{ name: 'Read', arguments: { path: 'a' }, result: 'content of a' }])
      const { quota } = await operator.consumption(rows + 1)
      expect(before - (await operator.quota())).toBe(quota)
      expect(quota).toBe(15)
    },
  )

  const patched = { id: 'c3', name: 'ApplyPatch', pieces: ['{"input":', '"*** Begin \\"a\\""}'] }
  const patchTool = {
    type: 'custom',
    name: 'ApplyPatch',
    description: 'Patches.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/s' },
  }
  const earlier = [
    { type: 'custom_tool_call', call_id: 'c1', name: 'ApplyPatch', input: '*** earlier' },
    { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done.' },
  ]
  /** Other upstreams of Chat Completions get custom tools as OpenAI does. */
  const translating = upstreamNames.filter((to) => to !== 'openai')
  const patchRows = translating.flatMap((to) => [true, false].map((stream) => [to, stream] as const))

  it.each(patchRows)(
    'gets calls of a custom tool as free text from an upstream of %s (stream: %p)',
    async (to, stream) => {
      const { model, upstream } = upstreams[to]
      upstream.otherwise(says({ toolCalls: [patched] }))
      const input = [{ role: 'user', content: 'Patch a.' }, ...earlier]
      const body = { model, input, tools: [...bodies.OpenAI.tools, patchTool], ...(stream && { stream }) }
      const response = await send(gateway, dialectCalls[0], model, key, { body })
      const reply = await response.text()
      expect([response.status, response.status === 200 ? '' : reply]).toEqual([200, ''])
      expect(callsIn(reply, 'custom')).toEqual([['ApplyPatch', '*** Begin "a"']])
      const [call] = upstream.calls
      if (call === undefined) throw new Error('nothing was sent')
      const { tools, toolTurns } = upstream.protocol.reported(call)
      expect(tools.toSorted()).toEqual(['ApplyPatch', 'Read'])
      expect(toolTurns).toEqual([
        { name: 'ApplyPatch', arguments: { input: '*** earlier' }, result: 'Done.' },
      ])
    },
  )

  it('is refused by name where it refers to a response that Responses alone know', async () => {
    const { model } = upstreams.openai
    const body = { ...bodies.OpenAI, model, previous_response_id: 'resp_1' }
    const response = await send(gateway, dialectCalls[0], model, key, { body })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: object }).error).toMatchObject({
      param: 'previous_response_id',
    })
  })
})

describe('functions of a model that reasons', () => {
  const tool = { type: 'function', function: { name: 'Read', parameters: schema } }
  const question = 'Read b.'
  const calls = {
    openai: { messages: [{ role: 'user', content: question }], tools: [tool], reasoning_effort: 'high' },
    responses: {
      input: question,
      tools: bodies.OpenAI.tools,
      reasoning: { effort: 'high', summary: 'auto' },
    },
    anthropic: {
      max_tokens: 9000,
      messages: [{ role: 'user', content: question }],
      tools: bodies.Anthropic.tools,
      thinking: { type: 'enabled', budget_tokens: 8000 },
    },
    gemini: {
      contents: [{ role: 'user', parts: [{ text: question }] }],
      tools: [{ functionDeclarations: [{ name: 'Read', parameters: schema }] }],
      generationConfig: { thinkingConfig: { thinkingLevel: 'HIGH' } },
    },
  } as const
  const rows = dialectCalls.flatMap((dialect) =>
    [true, false].map((stream) => [dialect.name, stream, dialect] as const),
  )

  it.each(rows)(
    'come back to a caller of %s from OpenAI’s Responses (stream: %p)',
    async (name, stream, dialect) => {
      const isGemini = name === 'gemini'
      const body = { ...calls[name], ...(!isGemini && { model: reasoning, ...(stream && { stream }) }) }
      const response = await send(gateway, dialect, reasoning, key, { stream, body })
      const reply = await response.text()
      expect([response.status, response.status === 200 ? '' : reply]).toEqual([200, ''])
      expect(reply).toContain('Read')
      const [call] = upstreams.responses.upstream.calls
      expect(call?.path).toEndWith('/v1/responses')
      expect(call?.json).toMatchObject({ model: reasoning })
      const isOwn = name === 'responses'
      expect(call?.json.reasoning).toEqual(isOwn ? { effort: 'high', summary: 'auto' } : { effort: 'high' })
    },
  )
})
