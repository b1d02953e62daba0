import { describe, expect, it } from 'bun:test'
import { type JsonObject, RequestFault, scanTopLevel, spliceMembers } from '@tollgate/formats'
import { adapt, compilePlan } from './adapt.ts'
import type { ResolvedProfile } from './resolve-profile.ts'

interface Fitted {
  readonly body: JsonObject
  readonly dropped: readonly string[]
  readonly toolNames: Readonly<Record<string, string>>
  readonly text: string
}

function fitted(
  profile: ResolvedProfile,
  body: JsonObject,
  { format = 'openai-chat', model = 'm', isTranslated = false, effortSuffix = false } = {},
): Fitted {
  const text = JSON.stringify(body)
  const scan = scanTopLevel(text, 64)
  const plan = compilePlan(profile, { format, model, vendor: 'Parley', effortSuffix })
  if (!scan.ok || plan === undefined) return { body, dropped: [], toolNames: {}, text }
  const { edits, dropped, toolNames } = adapt(plan, { text, scan, body }, new Map(), isTranslated)
  const sent = spliceMembers(text, scan, edits)
  return { body: JSON.parse(sent), dropped, toolNames: Object.fromEntries(toolNames), text: sent }
}

function faultOf(run: () => unknown): RequestFault {
  try {
    run()
  } catch (error) {
    if (error instanceof RequestFault) return error
  }
  throw new Error('nothing was refused')
}

const user = { role: 'user', content: 'hi' }
const chat = { model: 'm', messages: [user] }

describe('a plan', () => {
  it('is none where the profile has nothing to say, and the format defines nothing', () => {
    expect(compilePlan({}, { format: 'provider:parley', model: 'm', vendor: 'Parley' })).toBeUndefined()
  })

  it('leaves a body in the vendor’s own format alone that the vendor takes', () => {
    const body = { ...chat, stop: ['a'], user: 'ann', tools: [{ type: 'function', function: { name: 'f' } }] }
    const limits = { toolName: { max: 64, characters: 'word' }, stops: 4, tools: 128 } as const
    expect(fitted({ limits, fields: { takes: 'any' } }, body).text).toBe(JSON.stringify(body))
  })
})

describe('fields', () => {
  it('go out under the vendor’s names, byte for byte, and the older name gives way', () => {
    const fields = { takes: 'any', names: { max_completion_tokens: 'max_tokens' } } as const
    expect(fitted({ fields }, { ...chat, max_completion_tokens: 9 }).body).toEqual({ ...chat, max_tokens: 9 })
    const both = { ...chat, max_tokens: 3, max_completion_tokens: 9 }
    expect(fitted({ fields }, both).body).toEqual({ ...chat, max_tokens: 3 })
  })

  it('that a closed list does not have are left out by name, or refused where the response would change', () => {
    const fields = { takes: ['model', 'messages', 'stream'] } as const
    const { body, dropped } = fitted(
      { fields },
      { ...chat, metadata: { a: 'b' }, store: false, seed: null, n: 1 },
    )
    expect([body, dropped]).toEqual([chat, ['metadata']])
    const fault = faultOf(() => fitted({ fields }, { ...chat, response_format: { type: 'json_object' } }))
    expect(fault).toMatchObject({ param: 'response_format', code: 'unsupported_parameter' })
    expect(fault.message).toContain('Parley')
  })

  it('that nobody has heard of pass where a vendor’s list may be older than they are', () => {
    const fields = { takes: ['model', 'messages'], passesUnheardOf: true } as const
    const requested = { ...chat, x_future: 1, enable_thinking: true }
    expect(fitted({ fields }, requested).body).toEqual({ ...chat, x_future: 1 })
    expect(fitted({ fields: { takes: fields.takes } }, requested).body).toEqual(chat)
  })

  it('keep to ranges, to values and to lists', () => {
    const fields = {
      takes: 'any',
      ranges: { temperature: [0, 1] },
      values: { tool_choice: { required: 'any' }, encoding_format: { float: null } },
      lists: ['stop'],
    } as const
    const requested = {
      ...chat,
      temperature: 1.7,
      tool_choice: 'required',
      encoding_format: 'float',
      stop: 'x',
    }
    expect(fitted({ fields }, requested).body).toEqual({
      ...chat,
      temperature: 1,
      tool_choice: 'any',
      stop: ['x'],
    })
  })

  it('are refused with the vendor’s reason, unless they ask for the default', () => {
    const fields = { takes: 'any', refuses: { n: 'one response at a time' } } as const
    expect(fitted({ fields }, { ...chat, n: 1 }).body).toEqual(chat)
    expect(faultOf(() => fitted({ fields }, { ...chat, n: 2 })).message).toContain('one response at a time')
  })
})

describe('reasoning', () => {
  const on = { switch: 'thinking-type', efforts: ['high', 'max'], unasked: 'thinks' } as const

  it('is switched by the vendor’s own member, off and on', () => {
    const off = fitted({ reasoning: on }, { ...chat, reasoning_effort: 'none' })
    expect(off.body).toEqual({ ...chat, thinking: { type: 'disabled' } })
    const low = fitted({ reasoning: on }, { ...chat, reasoning_effort: 'low' })
    expect(low.body).toEqual({ ...chat, reasoning_effort: 'high', thinking: { type: 'enabled' } })
  })

  it('stays as a caller of the vendor’s own format says it', () => {
    const own = { ...chat, thinking: { type: 'disabled' } }
    expect(fitted({ reasoning: on }, own).body).toEqual(own)
  })

  it('keeps the other members of an object that holds the switch', () => {
    const reasoning = { switch: 'template-enable-thinking', efforts: [], unasked: 'thinks' } as const
    const body = { ...chat, reasoning_effort: 'none', chat_template_kwargs: { a: 1 } }
    expect(fitted({ reasoning }, body).body).toEqual({
      ...chat,
      chat_template_kwargs: { a: 1, enable_thinking: false },
    })
  })

  it('that cannot be switched off is as little as can be, by name', () => {
    const reasoning = { switch: 'effort', efforts: ['minimal', 'low', 'high'], unasked: 'thinks' } as const
    const { body, dropped } = fitted({ reasoning }, { ...chat, reasoning_effort: 'none' })
    expect([body.reasoning_effort, dropped]).toEqual(['minimal', ['reasoning_effort']])
  })

  it('is not asked of models without it, in either of OpenAI’s formats', () => {
    const reasoning = { switch: 'never', efforts: [], unasked: 'does-not-think' } as const
    expect(fitted({ reasoning }, { ...chat, reasoning_effort: 'high' }).body).toEqual(chat)
    const requested = {
      model: 'm',
      input: 'hi',
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
    }
    const { body, dropped } = fitted({ reasoning }, requested, {
      format: 'openai-responses',
      isTranslated: true,
    })
    expect([body, dropped]).toEqual([{ model: 'm', input: 'hi' }, ['reasoning.effort']])
  })

  it('left to the model is said where the model does not think unasked', () => {
    const efforts = ['none', 'low', 'medium', 'high'] as const
    const requested = { ...chat, reasoning_effort: 'default' }
    const effort = (unasked: 'thinks' | 'does-not-think') =>
      fitted({ reasoning: { switch: 'effort', efforts, unasked } }, requested).body.reasoning_effort
    expect([effort('thinks'), effort('does-not-think')]).toEqual([undefined, 'medium'])
    expect(fitted({}, requested, { isTranslated: true }).body).toEqual(chat)
  })

  it('has the sampling parameters left out that it refuses, and no others', () => {
    const reasoning = { switch: 'effort', efforts: ['none', 'low'], unasked: 'does-not-think' } as const
    const sampling = { refuses: ['temperature', 'top_p'], when: 'reasoning', accepts: { top_p: 1 } } as const
    const requested = { ...chat, temperature: 0.3, top_p: 1 }
    expect(fitted({ reasoning, sampling }, requested).body).toEqual(requested)
    const thinking = fitted({ reasoning, sampling }, { ...requested, reasoning_effort: 'low' })
    expect(thinking.body).toEqual({ ...chat, top_p: 1, reasoning_effort: 'low' })
    expect(thinking.dropped).toEqual(['temperature'])
  })

  it('may be said at the end of a model’s name', () => {
    const reasoning = { switch: 'effort', efforts: ['low', 'high'], unasked: 'thinks' } as const
    const named = fitted({ reasoning }, chat, { model: 'm-high', effortSuffix: true })
    expect(named.body).toEqual({ ...chat, model: 'm', reasoning_effort: 'high' })
  })
})

describe('history', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const turns = (turn: JsonObject) => ({ ...chat, messages: [user, { role: 'assistant', ...turn }, user] })
  const turnOf = ({ body }: Fitted) => (body.messages as readonly JsonObject[])[1]

  it('carries the empty form beside calls where the vendor requires reasoning, and nothing while it does not think', () => {
    const history = { reasoning: 'required', field: 'reasoning_content', empty: ' ' } as const
    const reasoning = { switch: 'thinking-type', efforts: [], unasked: 'thinks' } as const
    const requested = turns({ content: null, tool_calls: [call] })
    expect(turnOf(fitted({ history, reasoning }, requested))).toMatchObject({ reasoning_content: ' ' })
    expect(turnOf(fitted({ history, reasoning }, turns({ content: 'a' })))).toEqual({
      role: 'assistant',
      content: 'a',
    })
    const off = fitted({ history, reasoning }, { ...requested, reasoning_effort: 'none' })
    expect(turnOf(off)).not.toHaveProperty('reasoning_content')
    const retained = fitted({ history, reasoning }, turns({ tool_calls: [call], reasoning: 'hm' }))
    expect(turnOf(retained)).toMatchObject({ reasoning_content: 'hm' })
  })

  it('moves to the one name that the vendor takes, or goes without', () => {
    const stated = turns({ content: 'a', reasoning_content: 'hm', reasoning_details: [] })
    const named = { reasoning: 'free', field: 'reasoning', refusesOtherNames: true } as const
    expect(turnOf(fitted({ history: named }, stated))).toEqual({
      role: 'assistant',
      content: 'a',
      reasoning: 'hm',
    })
    const forbidden = { reasoning: 'forbidden', field: 'reasoning_content' } as const
    expect(turnOf(fitted({ history: forbidden }, stated))).toEqual({ role: 'assistant', content: 'a' })
  })
})

describe('limits', () => {
  const long = `mcp__${'a'.repeat(60)}__do.it`
  const word = { max: 64, characters: 'word' } as const

  it('shorten names of tools wherever they stand, the same way, and tell the caller’s own', () => {
    const body = {
      ...chat,
      messages: [
        user,
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', type: 'function', function: { name: long, arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', name: long, content: 'r' },
      ],
      tools: [{ type: 'function', function: { name: long } }],
      tool_choice: { type: 'function', function: { name: long } },
    }
    const { text, toolNames } = fitted({ limits: { toolName: word } }, body)
    const [short = ''] = Object.keys(toolNames)
    expect(short).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(toolNames).toEqual({ [short]: long })
    expect([text.includes(long), text.split(JSON.stringify(short)).length - 1]).toEqual([false, 4])
  })

  it('of the format hold for translated calls alone where the vendor documents none', () => {
    const body = { ...chat, tools: [{ type: 'function', function: { name: long } }] }
    expect(fitted({}, body).text).toContain(long)
    expect(fitted({}, body, { isTranslated: true }).text).not.toContain(long)
  })

  it('make a sum of a text that is too long or too short, the same for the same text', () => {
    const limits = { texts: { user: { min: 6, max: 64 }, 'metadata.user_id': { max: 30 } } }
    const body = { ...chat, user: 'ann', metadata: { user_id: 'x'.repeat(99), a: 'b' } }
    const once = fitted({ limits }, body).body
    expect(once).toEqual(fitted({ limits }, body).body)
    expect(String(once.user)).toMatch(/^id_\w{6,61}$/)
    expect(once.metadata).toMatchObject({ a: 'b', user_id: expect.stringMatching(/^id_\w{6,27}$/) })
  })

  it('refuse more than the vendor takes, by field, limit and vendor', () => {
    const fault = faultOf(() =>
      fitted({ limits: { stops: 4 } }, { ...chat, stop: ['a', 'b', 'c', 'd', 'e'] }),
    )
    expect(fault).toMatchObject({ param: 'stop' })
    expect(fault.message).toContain('Parley takes at most 4 stop sequences')
    expect(fitted({ limits: { stops: 1 } }, { ...chat, stop: 'a' }).body).toMatchObject({ stop: 'a' })
  })
})
