import { describe, expect, it } from 'bun:test'
import { anthropicMessages, openAiChat, openAiResponses, RequestFault } from '@tollgate/formats'
import type { Target } from '../provider.ts'
import { providers } from '../registry.ts'

/** Returns the request to a provider with a format of its own, for a body of OpenAI's. */
function sent(id: string, body: object, more: Partial<Target> = {}) {
  const target = {
    baseUrl: '',
    key: 'app|s|k',
    openaiOrganization: '',
    other: '',
    upstreamModel: 'm',
    ...more,
  }
  const operation = providers.find((each) => each.id === id)?.operation('chat', target, 'openai-chat')
  if (operation?.codec === undefined) throw new Error(`no codec of ${id}`)
  const request = openAiChat.decodeRequest({ model: 'm', ...body }, {})
  return operation.codec.encodeRequest(request, { model: target.upstreamModel, streamOptions: false })
}

function faultOf(id: string, body: object, more: Partial<Target> = {}): string | null {
  try {
    sent(id, body, more)
  } catch (error) {
    if (error instanceof RequestFault) return error.param
    throw error
  }
  throw new Error('no fault')
}

const hi = { role: 'user', content: 'Hi' }
const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const tools = [{ type: 'function', function: { name: 'get_weather', description: 'w', parameters } }]
const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: `{"city":"${city}"}` },
})
const toolTurn = [
  { role: 'system', content: 'Be brief.' },
  hi,
  { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'Bern'), call('c2', 'Basel')] },
  { role: 'tool', tool_call_id: 'c1', content: '21 °C' },
  { role: 'tool', tool_call_id: 'c2', content: '{"c":22}' },
  { role: 'user', content: 'Well?' },
]
const image = {
  role: 'user',
  content: [{ type: 'image_url', image_url: { url: 'https://i.example/a.png' } }],
}
const fields = {
  messages: [hi],
  temperature: 0,
  top_p: 1,
  max_tokens: 1,
  seed: 7,
  user: 'u',
  frequency_penalty: 0.5,
}

describe('Baidu', () => {
  it('gets one call at a time, each with its result, the sides taking turns', () => {
    const { body } = sent('baidu', { messages: toolTurn, tools, stream: true })
    const calls = (city: string, content = '') => ({
      role: 'assistant',
      content,
      function_call: { name: 'get_weather', arguments: `{"city":"${city}"}` },
    })
    expect(body).toEqual({
      system: 'Be brief.',
      stream: true,
      messages: [
        hi,
        calls('Bern', 'I look.'),
        { role: 'function', name: 'get_weather', content: '{"result":"21 °C"}' },
        calls('Basel'),
        { role: 'function', name: 'get_weather', content: '{"c":22}' },
        { role: 'assistant', content: 'Okay.' },
        { role: 'user', content: 'Well?' },
      ],
      functions: [{ name: 'get_weather', description: 'w', parameters }],
    })
  })

  it('gets conversations that begin with the user and hold nothing empty', () => {
    const messages = [{ role: 'assistant', content: 'Hello' }, { role: 'user', content: '' }, hi, hi]
    expect(sent('baidu', { messages }).body.messages).toEqual([
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Hi\n\nHi' },
    ])
  })

  it('gets values that it accepts, and lists the dropped ones', () => {
    const { body, dropped } = sent('baidu', fields)
    expect(body).toEqual({ messages: [hi], temperature: 0.01, top_p: 1, max_output_tokens: 2, user_id: 'u' })
    expect(dropped.toSorted()).toEqual(['frequency_penalty', 'seed'])
    expect(sent('baidu', { messages: [hi], frequency_penalty: 1.5 }).body.penalty_score).toBe(1.5)
  })

  it('has to call one function where the caller names it or has only one', () => {
    const forced = { type: 'function', function: { name: 'get_weather' } }
    for (const tool_choice of [forced, 'required'])
      expect(sent('baidu', { messages: [hi], tools, tool_choice }).body.tool_choice).toEqual(forced)
    expect(sent('baidu', { messages: [hi], tools, tool_choice: 'none' }).body.functions).toBeUndefined()
  })

  it.each([
    ['messages', { messages: [image] }],
    ['messages', { messages: [hi, { role: 'assistant', content: 'I' }] }],
    ['n', { messages: [hi], n: 2 }],
    ['stop', { messages: [hi], stop: ['a', 'b', 'c', 'd', 'e'] }],
    [
      'response_format',
      { messages: [hi], response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } },
    ],
  ])('is not sent what it cannot say of %s', (param, body) => {
    expect(faultOf('baidu', body)).toBe(param)
  })

  it('offers functions to models that call them alone', () => {
    expect(faultOf('baidu', { messages: [hi], tools }, { upstreamModel: 'ERNIE-Speed-8K' })).toBe('tools')
  })

  it.each([
    ['ERNIE-4.0-8K', 'completions_pro'],
    ['ERNIE-Bot', 'completions'],
    ['ERNIE-3.5-4K-0205', 'ernie-3.5-4k-0205'],
    ['ERNIE-Lite-8K-0922', 'eb-instant'],
    ['BLOOMZ-7B', 'bloomz_7b1'],
    ['My/Own Model', 'my%2Fown%20model'],
  ])('is asked for %s at %s', (upstreamModel, endpoint) => {
    const target = { baseUrl: 'http://h:1', key: 'a|b', openaiOrganization: '', other: '', upstreamModel }
    const operation = providers.find(({ id }) => id === 'baidu')?.operation('chat', target, 'openai-chat')
    expect(operation?.endpoint(target, { stream: false, query: '', headers: {} }).url).toBe(
      `http://h:1/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/${endpoint}`,
    )
  })
})

describe('Tencent', () => {
  it('gets calls and results in its words, and parameters as a text', () => {
    const { body } = sent('tencent', { messages: toolTurn, tools, stop: 'END' })
    const reported = (Id: string, city: string, Index: number) => ({
      Id,
      Type: 'function',
      Index,
      Function: { Name: 'get_weather', Arguments: `{"city":"${city}"}` },
    })
    expect(body).toEqual({
      Model: 'm',
      Stream: false,
      Stop: ['END'],
      Messages: [
        { Role: 'system', Content: 'Be brief.' },
        { Role: 'user', Content: 'Hi' },
        {
          Role: 'assistant',
          Content: 'I look.',
          ToolCalls: [reported('c1', 'Bern', 0), reported('c2', 'Basel', 1)],
        },
        { Role: 'tool', ToolCallId: 'c1', Content: '21 °C' },
        { Role: 'tool', ToolCallId: 'c2', Content: '{"c":22}' },
        { Role: 'user', Content: 'Well?' },
      ],
      Tools: [
        {
          Type: 'function',
          Function: { Name: 'get_weather', Description: 'w', Parameters: JSON.stringify(parameters) },
        },
      ],
      ToolChoice: 'auto',
    })
  })

  it('has no limit of the output', () => {
    const { body, dropped } = sent('tencent', fields)
    expect(body).toMatchObject({ Temperature: 0, TopP: 1, Seed: 7 })
    expect(dropped.toSorted()).toEqual(['frequency_penalty', 'max_tokens', 'user'])
  })

  it('shows images to models that see', () => {
    expect(faultOf('tencent', { messages: [image] })).toBe('messages')
    const { body } = sent('tencent', { messages: [hi, image] }, { upstreamModel: 'hunyuan-vision' })
    expect(body.Messages).toEqual([
      {
        Role: 'user',
        Contents: [
          { Type: 'text', Text: 'Hi' },
          { Type: 'image_url', ImageUrl: { Url: 'https://i.example/a.png' } },
        ],
      },
    ])
  })
})

describe('Spark', () => {
  it('gets its account, model and conversation in one message', () => {
    const { body, dropped } = sent(
      'xunfei',
      { ...fields, messages: toolTurn, tools },
      { upstreamModel: 'SparkDesk-v3.5' },
    )
    expect(body).toEqual({
      header: { app_id: 'app', uid: 'u' },
      parameter: { chat: { domain: 'generalv3.5', temperature: 0.01, max_tokens: 1 } },
      payload: {
        message: {
          text: [
            { role: 'system', content: 'Be brief.' },
            hi,
            {
              role: 'assistant',
              content:
                'I look.\n\nI call the tool get_weather with {"city":"Bern"}\n\nI call the tool get_weather with {"city":"Basel"}',
            },
            {
              role: 'user',
              content:
                'The tool get_weather gave this result: 21 °C\n\nThe tool get_weather gave this result: {"c":22}\n\nWell?',
            },
          ],
        },
        functions: { text: [{ name: 'get_weather', description: 'w', parameters }] },
      },
    })
    expect(dropped.toSorted()).toEqual(['frequency_penalty', 'seed', 'top_p'])
  })

  it('acknowledges instructions where the model knows none', () => {
    const messages = [{ role: 'system', content: 'Be brief.' }, hi]
    const { payload } = sent('xunfei', { messages }).body as { payload: { message: object } }
    expect(payload.message).toEqual({
      text: [{ role: 'user', content: 'Be brief.' }, { role: 'assistant', content: 'Okay.' }, hi],
    })
    expect(faultOf('xunfei', { messages, tools })).toBe('tools')
    expect(faultOf('xunfei', { messages, stop: 'x' })).toBe('stop')
  })

  it.each([
    ['SparkDesk', '', '/v2.1/chat', 'generalv2'],
    ['SparkDesk', 'v3.5', '/v3.5/chat', 'generalv3.5'],
    ['SparkDesk-v1.1', 'v3.5', '/v1.1/chat', 'lite'],
    ['Spark-Lite', 'v3.5', '/v1.1/chat', 'lite'],
    ['Spark-Pro-128K', '', '/chat/pro-128k', 'pro-128k'],
    ['4.0Ultra', '', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk', 'v3.5-32K', '/chat/max-32k', 'max-32k'],
    ['SparkDesk-v5', '', '/v5/chat', 'generalv5'],
    ['mine', 'v2/../x', '/v2%2F..%2Fx/chat', 'generalv2/../x'],
  ])('serves %s with the version %p at %s', (upstreamModel, other, path, domain) => {
    const target = { baseUrl: 'ws://h:1', key: 'a|b|c', openaiOrganization: '', other, upstreamModel }
    const operation = providers.find(({ id }) => id === 'xunfei')?.operation('chat', target, 'openai-chat')
    expect(operation?.endpoint(target, { stream: true, query: '', headers: {} }).url).toBe(`ws://h:1${path}`)
    expect(sent('xunfei', { messages: [hi] }, target).body.parameter).toEqual({ chat: { domain } })
  })

  it('ends its response with the last message, an error, or an invalid message', () => {
    const target = { baseUrl: '', key: 'a|b|c', openaiOrganization: '', other: '', upstreamModel: 'm' }
    const operation = providers.find(({ id }) => id === 'xunfei')?.operation('chat', target, 'openai-chat')
    const isLast = (message: unknown) => operation?.isLastMessage?.(JSON.stringify(message))
    expect(isLast({ header: { code: 0, status: 1 }, payload: { choices: { status: 1 } } })).toBe(false)
    expect(isLast({ header: { code: 0 }, payload: { choices: { status: 2 } } })).toBe(true)
    expect(isLast({ header: { code: 10013, status: 2 } })).toBe(true)
    expect(isLast('what?')).toBe(true)
  })
})

describe('Zhipu v3', () => {
  it('gets a prompt, and acknowledges instructions', () => {
    const { body, dropped } = sent('zhipu-v3', { ...fields, messages: toolTurn })
    expect(body).toMatchObject({ temperature: 0.01, top_p: 0.99 })
    expect((body.prompt as { role: string }[]).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
    expect(dropped.toSorted()).toEqual(['frequency_penalty', 'max_tokens', 'seed', 'user'])
    expect(faultOf('zhipu-v3', { messages: [hi], tools })).toBe('tools')
  })

  it.each([
    [true, 'sse-invoke'],
    [false, 'invoke'],
  ])('is asked for its model in the address, streamed %p', (stream, form) => {
    const target = {
      baseUrl: 'https://open.bigmodel.cn',
      key: 'a.b',
      openaiOrganization: '',
      other: '',
      upstreamModel: 'chatglm_pro',
    }
    const operation = providers.find(({ id }) => id === 'zhipu-v3')?.operation('chat', target, 'openai-chat')
    expect(operation?.endpoint(target, { stream, query: '', headers: {} }).url).toBe(
      `https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_pro/${form}`,
    )
  })
})

describe('a result that failed', () => {
  const failed = anthropicMessages.decodeRequest(
    {
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'get_weather', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'no such city', is_error: true }],
        },
      ],
      tools: [{ name: 'get_weather', input_schema: parameters }],
    },
    {},
  )
  const marks = /"is_error":true|"status":"error"|"response":\{"error"/
  const names = ['openai-chat', 'openai-responses', 'gemini'] as const

  it.each(providers.map(({ id }) => id))('is known as one at %s, or its caller is warned', (id) => {
    const provider = providers.find((each) => each.id === id)
    for (const name of names) {
      const target = { baseUrl: '', key: 'a|s|k', openaiOrganization: '', other: '', upstreamModel: 'm' }
      const operation = provider?.operation('chat', target, name)
      const known = name === 'openai-responses' ? openAiResponses : openAiChat
      const encode = (operation?.codec ?? known).encodeRequest
      if (operation === undefined) continue
      try {
        const { body, dropped } = encode(failed, { model: 'm', streamOptions: false, defaultMaxTokens: 9 })
        const text = JSON.stringify(body)
        expect(marks.test(text) || dropped.includes('is_error')).toBe(true)
      } catch (error) {
        // Applications have tools of their own.
        expect(error).toBeInstanceOf(RequestFault)
      }
    }
  })
})
