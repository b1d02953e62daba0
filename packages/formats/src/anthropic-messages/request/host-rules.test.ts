import { describe, expect, it } from 'bun:test'
import { valueWithEdits } from '../../json/nested-edits.ts'
import { compileHostRules, fitToHost, type PlacedRule } from './host-rules.ts'

const dropped = { betas: ['scope'], loss: 'drop', feature: 'scoped-cache' } as const
const refused = { betas: [], loss: 'refuse', feature: 'web-search' } as const
const rules: readonly PlacedRule[] = [
  { ...dropped, part: 'cache_control', member: 'scope' },
  { ...dropped, part: 'block', type: 'tool_reference' },
  { ...dropped, part: 'body', member: 'later' },
  { ...dropped, part: 'output_config', member: 'effort' },
  { ...dropped, part: 'output_config', member: 'task_budget' },
  { ...refused, part: 'tool', type: 'web_search' },
  { ...refused, part: 'block', type: 'server_tool_use:web_search' },
  {
    ...dropped,
    part: 'message',
    member: 'role',
    applies: (value) => value === 'system',
    instead: '"user"',
  },
]
const fields = new Set(['model', 'system', 'messages', 'tools', 'output_config', 'later'])
const ofTools = new Set(['name', 'input_schema', 'input_examples', 'cache_control'])
const host = compileHostRules('Somewhere', rules, { body: fields, tool: ofTools })

const cache = { type: 'ephemeral', scope: 'global' }
const plain = { type: 'ephemeral' }
const text = (cache_control: object) => ({ type: 'text', text: 'scope', cache_control })
const result = (content: readonly object[]) => ({ type: 'tool_result', tool_use_id: 't', content })

function taken(body: Record<string, unknown>, sent: readonly string[] = []) {
  const { edits, dropped } = fitToHost(body, host, (beta) => sent.includes(beta))
  return { body: valueWithEdits(body, edits), dropped }
}

describe('fitToHost', () => {
  it('takes a message out that only changed what the host does not take', () => {
    const said = { role: 'user', content: 'a' }
    const change = { role: 'system', content: [], output_config: { effort: 'low' } }
    expect(taken({ messages: [said, change, said] })).toEqual({
      body: { messages: [said, said] },
      dropped: ['messages.role (scoped-cache)', 'messages.output_config.effort (scoped-cache)'],
    })
    // A host that takes it gets it as it is.
    expect(taken({ messages: [said, change] }, ['scope']).body).toEqual({ messages: [said, change] })
  })

  it('leaves members out wherever the API puts them', () => {
    const at = (mark: object) => ({
      system: [text(mark)],
      tools: [{ name: 'f', input_schema: {}, cache_control: mark }],
      messages: [
        {
          role: 'user',
          content: [
            text(mark),
            result([text(mark)]),
            { type: 'document', source: { type: 'content', content: [text(mark)] } },
          ],
        },
      ],
    })
    expect(taken(at(cache))).toEqual({
      body: at(plain),
      dropped: [
        'system.cache_control.scope (scoped-cache)',
        'tools.cache_control.scope (scoped-cache)',
        'messages.content.cache_control.scope (scoped-cache)',
        'messages.content.content.cache_control.scope (scoped-cache)',
        'messages.content.source.content.cache_control.scope (scoped-cache)',
      ],
    })
  })

  it('keeps them in calls that send their beta', () => {
    const body = { system: [text(cache)], later: 1 }
    expect(taken(body, ['scope'])).toEqual({ body, dropped: [] })
  })

  it('never looks into what tools are called with, and into schemas', () => {
    const own = { cache_control: cache, type: 'tool_reference' }
    const body = {
      tools: [{ name: 'f', input_schema: { type: 'object', properties: own }, input_examples: [own] }],
      messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: own }] }],
    }
    expect(taken(body)).toEqual({ body, dropped: [] })
  })

  it('leaves out fields that a host with a list of them does not know, and those that say nothing without a word', () => {
    expect(taken({ model: 'm', new_field: 1, other: null, later: null })).toEqual({
      body: { model: 'm' },
      dropped: ['new_field'],
    })
  })

  it('leaves out members of the caller’s tools that it does not know, and none of its own tools', () => {
    const own = { type: 'memory_20250818', name: 'memory', later: 1 }
    expect(taken({ tools: [{ name: 'f', later: 1 }, own] })).toEqual({
      body: { tools: [{ name: 'f' }, own] },
      dropped: ['tools.later'],
    })
  })

  it('leaves out an object that loses everything', () => {
    const format = { type: 'json_schema' }
    expect(taken({ model: 'm', output_config: { effort: 'low', task_budget: 1 } }).body).toEqual({
      model: 'm',
    })
    expect(taken({ output_config: { effort: 'low', format } }).body).toEqual({ output_config: { format } })
  })

  it('leaves out blocks of a type, and writes what takes the place of a value', () => {
    const messages = [
      { role: 'user', content: [result([{ type: 'tool_reference', tool_name: 'f' }])] },
      { role: 'system', content: 'now' },
    ]
    expect(taken({ messages })).toEqual({
      body: {
        messages: [
          { role: 'user', content: [result([])] },
          { role: 'user', content: 'now' },
        ],
      },
      dropped: ['messages.content.content (tool_reference)', 'messages.role (scoped-cache)'],
    })
  })

  it.each([
    ['tools[1]', { tools: [{ name: 'f' }, { type: 'web_search_20250305', name: 'web_search' }] }],
    [
      'messages[0].content[0]',
      {
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
          },
        ],
      },
    ],
  ])('refuses by name what changes the response: %s', (param, body) => {
    expect(() => taken(body)).toThrow(
      `${param} is not supported by this model's provider: Somewhere does not serve web-search`,
    )
  })
})
