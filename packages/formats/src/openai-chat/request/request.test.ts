import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import {
  type OpenAiRequest,
  type RequestReading,
  readChatRequest,
  readCompletionRequest,
  readEmbeddingRequest,
} from '../request.ts'

const limits = { maxDepth: 32 }
const chat = (body: unknown) =>
  readChatRequest(typeof body === 'string' ? body : JSON.stringify(body), limits)
const completion = (body: unknown) => readCompletionRequest(JSON.stringify(body), limits)
const embedding = (body: unknown) => readEmbeddingRequest(JSON.stringify(body), limits)
const messages = [{ role: 'user', content: 'hi' }]

function requestOf(reading: RequestReading): OpenAiRequest {
  if (!reading.ok) throw new Error(reading.error.message)
  return reading.request
}

const errorOf = (reading: RequestReading) => (reading.ok ? undefined : reading.error)

describe('readChatRequest', () => {
  it('reads what the gateway must know and leaves the rest alone', () => {
    const text = `{ "model" : "gpt-4o", "messages": ${JSON.stringify(messages)}, "stream": true,\n "stream_options": {"include_usage": true}, "max_tokens": 5, "max_completion_tokens": 9, "n": 2, "reasoning_effort": "low", "made_up": [1] }`
    expect(requestOf(chat(text))).toMatchObject({
      mode: 'chat',
      text,
      model: 'gpt-4o',
      stream: true,
      includeUsage: true,
      maxOutputTokens: 9,
      n: 2,
      reasoningEffort: 'low',
    })
  })

  it('reads a bare request with its defaults; null and zero limits say nothing', () => {
    const expected = {
      stream: false,
      includeUsage: false,
      maxOutputTokens: undefined,
      n: 1,
      reasoningEffort: '',
    }
    expect(requestOf(chat({ model: 'm', messages }))).toMatchObject(expected)
    const nulls = {
      stream: null,
      stream_options: null,
      max_tokens: null,
      n: null,
      temperature: null,
      max_completion_tokens: 0,
    }
    expect(requestOf(chat({ model: 'm', messages, ...nulls }))).toMatchObject(expected)
  })

  it.each(['Model', 'MODEL', 'mode\\u004c', 'Max_Tokens', 'max_to\u212aens', 'me\u017fsages', 'N', 'Stream'])(
    'refuses %s, which an upstream that ignores case would believe instead of the field that was priced',
    (key) => {
      const body = `{"model":"cheap","${key}":1,"messages":[{"role":"user"}]}`
      expect(errorOf(chat(body))).toMatchObject({ code: 'unknown_parameter' })
    },
  )

  it('lets keys pass in any case that decide nothing', () => {
    expect(requestOf(chat({ model: 'm', messages, Made_Up: 1, K1: 2 }))).toMatchObject({ model: 'm' })
  })

  it('does not take usage as asked for where nothing streams', () => {
    expect(
      requestOf(chat({ model: 'm', messages, stream_options: { include_usage: true } })).includeUsage,
    ).toBe(false)
  })

  it.each([
    ['', null, 'invalid_json'],
    ['{"model":"m"', null, 'invalid_json'],
    ['{"model":"m",}', null, 'invalid_json'],
    ['[]', null, 'invalid_json'],
    ['null', null, 'invalid_json'],
    ['"text"', null, 'invalid_json'],
    [`{"a":${'['.repeat(40)}${']'.repeat(40)}}`, null, 'invalid_json'],
    [{ messages }, 'model', 'missing_required_parameter'],
    [{ model: null, messages }, 'model', 'missing_required_parameter'],
    [{ model: 5, messages }, 'model', 'invalid_type'],
    [{ model: ' ', messages }, 'model', 'invalid_value'],
    [{ model: 'm'.repeat(256), messages }, 'model', 'invalid_value'],
    [{ model: 'm' }, 'messages', 'missing_required_parameter'],
    [{ model: 'm', messages: 'hi' }, 'messages', 'invalid_type'],
    [{ model: 'm', messages: [] }, 'messages', 'invalid_value'],
    [{ model: 'm', messages: ['hi'] }, 'messages[0]', 'invalid_type'],
    [{ model: 'm', messages: [...messages, {}] }, 'messages[1].role', 'missing_required_parameter'],
    [{ model: 'm', messages: [{ role: 7 }] }, 'messages[0].role', 'invalid_type'],
    [{ model: 'm', messages: [{ role: 'user', content: 7 }] }, 'messages[0].content', 'invalid_type'],
    [{ model: 'm', messages: [{ role: 'user', content: [7] }] }, 'messages[0].content[0]', 'invalid_type'],
    [{ model: 'm', messages, stream: 'true' }, 'stream', 'invalid_type'],
    [{ model: 'm', messages, stream_options: [] }, 'stream_options', 'invalid_type'],
    [{ model: 'm', messages, max_tokens: -1 }, 'max_tokens', 'invalid_value'],
    [{ model: 'm', messages, max_tokens: 1.5 }, 'max_tokens', 'invalid_type'],
    [{ model: 'm', messages, max_tokens: '5' }, 'max_tokens', 'invalid_type'],
    [{ model: 'm', messages, max_completion_tokens: 2 ** 30 + 1 }, 'max_completion_tokens', 'invalid_value'],
    ['{"model":"m","messages":[{"role":"user"}],"max_tokens":1e400}', 'max_tokens', 'invalid_type'],
    ['{"model":"m","messages":[{"role":"user"}],"temperature":1e400}', 'temperature', 'invalid_value'],
    [{ model: 'm', messages, n: 0 }, 'n', 'invalid_value'],
    [{ model: 'm', messages, n: 129 }, 'n', 'invalid_value'],
    [{ model: 'm', messages, temperature: 2.1 }, 'temperature', 'invalid_value'],
    [{ model: 'm', messages, temperature: 'hot' }, 'temperature', 'invalid_type'],
    [{ model: 'm', messages, top_p: -0.1 }, 'top_p', 'invalid_value'],
    [{ model: 'm', messages, presence_penalty: 3 }, 'presence_penalty', 'invalid_value'],
    [{ model: 'm', messages, frequency_penalty: -3 }, 'frequency_penalty', 'invalid_value'],
    ['{"model":"a","model":"b","messages":[{"role":"user"}]}', 'model', 'duplicate_key'],
    ['{"model":"a","messages":[{"role":"user"}],"m\\u0065ssages":[]}', 'messages', 'duplicate_key'],
    [
      '{"model":"a","messages":[{"role":"user"}],"max_tokens":1,"max_tokens":9}',
      'max_tokens',
      'duplicate_key',
    ],
  ] as const)('refuses %j with a word about %s', (body, param, code) => {
    const error = errorOf(chat(body))
    expect(error).toMatchObject({ param, code })
    expect(error?.message.length).toBeGreaterThan(10)
  })

  it('lets repeated keys pass that decide nothing here', () => {
    expect(
      chat('{"model":"a","messages":[{"role":"user"}],"user":"x","user":"y","toString":1,"toString":2}').ok,
    ).toBe(true)
  })

  it('never throws, whatever the body', () => {
    const field = fc.constantFrom(
      'model',
      'messages',
      'stream',
      'stream_options',
      'max_tokens',
      'n',
      'tools',
      '__proto__',
    )
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue()), fc.string(), (body, text) => {
        chat(body)
        chat(text)
        chat(`{${text}}`)
      }),
    )
  })
})

describe('readCompletionRequest and readEmbeddingRequest', () => {
  it('take a text, texts, token numbers and lists of them', () => {
    for (const input of [
      'hi',
      '',
      ['a', 'b'],
      [1, 2],
      [[1], [2, 3]],
      [{ text: 'a' }, { image: 'http://x' }],
    ]) {
      expect(completion({ model: 'm', prompt: input }).ok).toBe(true)
      expect(embedding({ model: 'm', input }).ok).toBe(true)
    }
  })

  it.each([[undefined], [null], [7], [{}], [[]], [[null]], [[[null]]], [[-1]], [[1.5]], [true]])(
    'refuse the input %j',
    (input) => {
      expect(errorOf(completion({ model: 'm', prompt: input }))?.param).toBe('prompt')
      expect(errorOf(embedding({ model: 'm', input }))?.param).toBe('input')
    },
  )

  it('reserves for the best of several completions', () => {
    expect(requestOf(completion({ model: 'm', prompt: 'x', n: 1, best_of: 4 })).n).toBe(4)
  })

  it.each([
    [['a', 'b', 'c'], 6],
    [[[1, 2], [3]], 4],
    [[1, 2, 3], 2],
    ['abc', 2],
  ])('counts an answer for each choice and each prompt of %j', (prompt, n) => {
    expect(requestOf(completion({ model: 'm', prompt, n: 2 })).n).toBe(n)
  })

  it('never stream embeddings, and read no limits they do not check', () => {
    const request = requestOf(embedding({ model: 'm', input: 'x', stream: true, max_tokens: -5, n: 1e9 }))
    expect(request).toMatchObject({ stream: false, maxOutputTokens: undefined, n: 1 })
  })
})

describe('prompt', () => {
  it('finds what counts in a conversation', () => {
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==', detail: 'low' } },
            { type: 'image_url', image_url: 'https://example.com/a.png' },
            { type: 'input_audio', input_audio: { data: 'QQ==', format: 'wav' } },
            { type: 'file', file: { file_id: 'f' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'a cat' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } },
        },
        { type: 'web_search' },
      ],
    }
    const prompt = requestOf(chat(body)).prompt()
    expect(prompt.messages).toMatchObject([
      { role: 'system', name: '', texts: ['Be brief.'] },
      {
        role: 'user',
        name: 'ann',
        texts: ['What is this?'],
        images: [
          { detail: 'low', url: 'data:image/png;base64,QQ==' },
          { detail: '', url: 'https://example.com/a.png' },
        ],
        audioParts: 1,
        fileParts: 1,
      },
      { role: 'assistant', texts: ['look', '{}'] },
      { role: 'tool', texts: ['a cat'] },
    ])
    expect(prompt.tools[0]).toBe('lookLooks.{"type":"object"}')
  })

  it('counts token numbers as they are', () => {
    const prompt = (input: unknown) => requestOf(embedding({ model: 'm', input })).prompt()
    expect(prompt('a')).toMatchObject({ texts: ['a'], tokens: 0 })
    expect(prompt([1, 2, 3])).toMatchObject({ texts: [], tokens: 3 })
    expect(prompt([[1, 2], [3]])).toMatchObject({ texts: [], tokens: 3 })
    expect(prompt([{ text: 'a' }, { image: 'x' }])).toMatchObject({ texts: ['a', ''], tokens: 0 })
  })

  it('never throws on contents it does not know', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.array(fc.jsonValue()), (parts, tools) => {
        const content = parts.filter(
          (part) => typeof part === 'object' && part !== null && !Array.isArray(part),
        )
        requestOf(
          chat({ model: 'm', messages: [{ role: 'user', content, tool_calls: tools }], tools }),
        ).prompt()
      }),
    )
  })
})
