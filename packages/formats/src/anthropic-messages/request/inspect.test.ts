import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { anthropicMessages } from '../codec.ts'
import { agentBody, faultOf } from '../test-support/requests.ts'

const bare = { model: 'claude-x', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }

describe('inspectRequest', () => {
  it('reads what decides a call, from the path where the body does not say it', () => {
    expect(anthropicMessages.inspectRequest(agentBody, {})).toEqual({
      model: 'claude-opus-5-5',
      stream: true,
      includeUsage: true,
      maxOutputTokens: 32000,
      candidates: 1,
      reasoningEffort: 'xhigh',
    })
    const { model: _, ...withoutModel } = bare
    expect(
      anthropicMessages.inspectRequest({ ...withoutModel, max_tokens: 0 }, { model: 'm', stream: true }),
    ).toMatchObject({ model: 'm', stream: true, maxOutputTokens: undefined, reasoningEffort: '' })
  })

  it('is lenient with all that it need not know', () => {
    const odd = {
      ...bare,
      tools: [7],
      thinking: { type: 'new' },
      x_future: 7,
      messages: [{ role: 'critic', content: [{ type: 'new' }] }],
    }
    expect(anthropicMessages.inspectRequest(odd, {}).model).toBe('claude-x')
    expect(faultOf(() => anthropicMessages.inspectRequest({ ...bare, tools: 7 }, {})).param).toBe('tools')
    expect(faultOf(() => anthropicMessages.inspectRequest({ ...bare, max_tokens: -1 }, {})).param).toBe(
      'max_tokens',
    )
  })
})

describe('promptOf', () => {
  it('counts instructions, blocks, results and tools', () => {
    const { messages, tools } = anthropicMessages.promptOf(agentBody)
    expect(messages.map(({ role, texts }) => [role, texts])).toEqual([
      ['system', ['Be brief.', 'Rules.']],
      ['user', ['hi']],
      ['assistant', ['Reading.', 'web_search', '{"query":"x"}', 'Read', '{"path":"a"}']],
      ['user', ['no', 'b']],
      ['system', ['The user is away.']],
    ])
    expect(messages[3]).toMatchObject({ images: [{ url: 'data:image/png;base64,AAAA' }], fileParts: 1 })
    expect(tools[0]).toBe('ReadReads.{"type":"object"}')
  })

  it('never throws, whatever the body holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (messages, system, tools) => {
        anthropicMessages.promptOf({
          messages: messages as unknown,
          system: system as unknown,
          tools: tools as unknown,
        })
      }),
    )
  })
})
