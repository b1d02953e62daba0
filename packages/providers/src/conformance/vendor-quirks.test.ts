import { describe, expect, it } from 'bun:test'
import { shortName } from '../profile/short-names.ts'
import { sentBody } from '../test-support/sent-body.ts'

const user = { role: 'user', content: 'hi' }
const chat = { model: 'm', messages: [user] }
const mistralId = (id: string) => shortName(id, { max: 9, exactly: 9, characters: 'alphanumeric' })
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })

describe('vendors that have OpenAI’s older names alone', () => {
  const requested = {
    ...chat,
    messages: [{ role: 'developer', content: 'Be brief.' }, user],
    max_completion_tokens: 9,
  }
  const older = { ...chat, messages: [{ role: 'system', content: 'Be brief.' }, user], max_tokens: 9 }
  const both =
    'deepseek ali lingyi siliconflow together fireworks nvidia huggingface hyperbolic novita nebius deepinfra'
  const desks =
    'sambanova perplexity zhipu ollama llamacpp lmstudio vllm sglang xinference qihoo360 cloudflare'

  it.each(`${both} ${desks}`.split(' '))('receive them: %s', (id) => {
    expect(sentBody(id, requested)).toEqual(older)
    expect(sentBody(id, older)).toEqual(older)
    expect(sentBody(id, { ...older, max_completion_tokens: 7 })).toEqual(older)
  })

  it('get the role alone where the newer limit is known, too', () => {
    for (const id of ['moonshot', 'minimax', 'volcengine', 'qianfan'])
      expect(sentBody(id, requested)).toEqual({ ...requested, messages: older.messages })
    for (const id of ['openai', 'groq', 'xai', 'openrouter', 'cerebras'])
      expect(sentBody(id, requested)).toEqual(requested)
  })
})

describe('models of OpenAI that think', () => {
  it('are not asked for what they refuse', () => {
    const requested = { ...chat, temperature: 0.2, top_p: 0.5, presence_penalty: 1, stop: ['x'] }
    const retained = { ...chat, stop: ['x'] }
    const { stop: _stop, ...others } = requested
    for (const model of ['o3', 'o4-mini', 'gpt-5', 'gpt-5-mini']) {
      expect(sentBody('openai', others, model)).toEqual({ ...chat, model })
      expect(() => sentBody('openai', requested, model)).toThrow('stop is not supported')
    }
    for (const model of ['gpt-4o', 'gpt-5-chat-latest', 'gpt-5.1'])
      expect(sentBody('openai', requested, model)).toEqual({ ...requested, model })
    const effort = { ...requested, reasoning_effort: 'low' }
    expect(sentBody('openai', effort, 'gpt-5.1')).toEqual({
      ...retained,
      reasoning_effort: 'low',
      model: 'gpt-5.1',
    })
    expect(sentBody('openai', { ...chat, temperature: 1 }, 'gpt-4o-search-preview')).not.toHaveProperty(
      'temperature',
    )
  })
})

describe('Mistral', () => {
  it('gets the fields it knows, under its own names', () => {
    const body = {
      ...chat,
      user: 'u',
      seed: 7,
      max_completion_tokens: 9,
      logit_bias: {},
      stream_options: {},
      store: true,
      tool_choice: 'required',
    }
    expect(sentBody('mistral', body)).toEqual({ ...chat, random_seed: 7, max_tokens: 9, tool_choice: 'any' })
    expect(sentBody('mistral', { model: 'm', input: 'x', dimensions: 8, user: 'u' })).toEqual({
      model: 'm',
      input: 'x',
      output_dimension: 8,
    })
  })

  it('gets messages as it reads them', () => {
    const image = { type: 'image_url', image_url: { url: 'https://i.example/a.png', detail: 'low' } }
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: [{ type: 'text', text: 'hi' }, image] },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        refusal: null,
        tool_calls: [call('call_1')],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'f', content: '1' },
      { role: 'assistant', content: 'It is' },
    ]
    const id = mistralId('call_1')
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/)
    expect(sentBody('mistral', { model: 'm', messages })).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'image_url', image_url: 'https://i.example/a.png' },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [call(id)] },
        { role: 'tool', tool_call_id: id, name: 'f', content: '1' },
        { role: 'assistant', content: 'It is', prefix: true },
      ],
    })
  })

  it('keeps its own ids, and maps those of other vendors', () => {
    expect(mistralId('Ab3dE6gH9')).toBe('Ab3dE6gH9')
    const ids = Array.from({ length: 2000 }, (_, index) => mistralId(`call_${index}`))
    expect(new Set(ids).size).toBe(2000)
  })
})

describe('DeepSeek', () => {
  it('gets reasoning of earlier responses back, except for its first models, which refuse it', () => {
    const messages = [user, { role: 'assistant', content: 'a', reasoning_content: 'hm' }, user]
    expect(sentBody('deepseek', { model: 'm', messages }, 'deepseek-v4-pro')).toMatchObject({ messages })
    expect(sentBody('deepseek', { model: 'm', messages }, 'deepseek-reasoner')).toMatchObject({
      messages: [user, { role: 'assistant', content: 'a' }, user],
    })
  })

  it('gets the reasoning beside tool calls back for any model name, as it refuses calls without it', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
    const calling = { role: 'assistant', content: '', reasoning_content: 'hm', tool_calls: [call] }
    const messages = [user, calling, { role: 'tool', tool_call_id: 'call_1', content: '1' }]
    expect(sentBody('deepseek', { model: 'm', messages }, 'deepseek-reasoner')).toMatchObject({ messages })
  })

  it('gets a schema as an instruction, as it has no field for one', () => {
    const format = { type: 'json_schema', json_schema: { name: 'w', schema: { type: 'object' } } }
    const sent = sentBody('deepseek', { ...chat, response_format: format })
    expect(sent).toMatchObject({ response_format: { type: 'json_object' } })
    expect(JSON.stringify(sent)).toContain('JSON schema')
    expect(sent).toMatchObject({ messages: [{ role: 'system' }, user] })
  })

  it('does not reason unless the caller asks for it', () => {
    const off = { thinking: { type: 'disabled' } }
    const former = { ...chat, model: 'deepseek-chat' }
    expect(sentBody('deepseek', former, 'deepseek-v4-flash')).toMatchObject(off)
    expect(sentBody('deepseek', former, 'deepseek-chat')).not.toHaveProperty('thinking')
    const none = sentBody('deepseek', { ...chat, reasoning_effort: 'none' }, 'deepseek-v4-pro')
    expect(none).toMatchObject(off)
    expect(none).not.toHaveProperty('reasoning_effort')
  })
})

describe('xAI', () => {
  it('gets no penalties for models that think, and refuses ends that would not be found', () => {
    const requested = { ...chat, presence_penalty: 1, frequency_penalty: 1 }
    expect(sentBody('xai', requested, 'grok-4.5')).toEqual({ ...chat, model: 'grok-4.5' })
    expect(sentBody('xai', requested, 'grok-3')).toEqual({ ...requested, model: 'grok-3' })
    expect(() => sentBody('xai', { ...chat, stop: ['x'] }, 'grok-4')).toThrow('stop is not supported')
    expect(sentBody('xai', { ...chat, stop: ['x'] }, 'grok-4-fast-non-reasoning')).toMatchObject({
      stop: ['x'],
    })
  })

  it('gets an effort where it takes one, as near as it has it', () => {
    const effort = (model: string, wanted: string) =>
      (sentBody('xai', { ...chat, reasoning_effort: wanted }, model) as { reasoning_effort?: string })
        .reasoning_effort
    expect(effort('grok-4.6', 'xhigh')).toBe('xhigh')
    expect(effort('grok-4.3', 'xhigh')).toBe('high')
    expect(effort('grok-4.3', 'none')).toBe('none')
    expect(effort('grok-4.6', 'none')).toBe('low')
    expect(effort('grok-4', 'high')).toBeUndefined()
    expect(effort('grok-4.20-reasoning', 'high')).toBeUndefined()
    expect(effort('grok-3-mini', 'medium')).toBe('high')
    expect(effort('grok-3-mini', 'max')).toBe('high')
    expect(effort('grok-3', 'high')).toBeUndefined()
    expect(effort('grok-next', 'high')).toBe('high')
    expect(effort('our-deployment', 'xhigh')).toBe('high')
  })
})

describe('other vendors', () => {
  it('OpenRouter gets the reasoning options in one object', () => {
    const effort = { ...chat, reasoning_effort: 'high' }
    expect(sentBody('openrouter', effort)).toEqual({ ...chat, reasoning: { effort: 'high' } })
    expect(sentBody('openrouter', { ...effort, reasoning: { max_tokens: 9 } })).toEqual({
      ...chat,
      reasoning: { max_tokens: 9 },
    })
  })

  it('Perplexity has both sides take turns', () => {
    const messages = [
      { role: 'developer', content: 'Be brief.' },
      user,
      { role: 'user', content: [{ type: 'text', text: 'there' }] },
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
      user,
    ]
    expect(sentBody('perplexity', { model: 'm', messages, top_p: 1 })).toEqual({
      model: 'm',
      top_p: 0.99,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi' },
            { type: 'text', text: 'there' },
          ],
        },
        { role: 'assistant', content: 'a\n\nb' },
        user,
      ],
    })
    expect(sentBody('perplexity', chat)).toEqual(chat)
  })

  it('Groq gets no thoughts under a name that it refuses and no annotations, and Cerebras no penalties', () => {
    const messages = [
      user,
      { role: 'assistant', content: 'a', reasoning: 'hm', reasoning_content: 'hm', annotations: [] },
      user,
    ]
    expect(sentBody('groq', { model: 'm', messages })).toEqual({
      model: 'm',
      messages: [user, { role: 'assistant', content: 'a', reasoning: 'hm' }, user],
    })
    expect(sentBody('cerebras', { ...chat, presence_penalty: 1 })).toEqual(chat)
  })
})
