import { describe, expect, it } from 'bun:test'
import { anthropicMessages } from '../anthropic-messages/codec.ts'
import type { ChatCodec, UpstreamCodec } from '../canonical/codec.ts'
import { SseScanner } from '../framing/sse.ts'
import { gemini } from '../gemini/codec.ts'
import { decodeUtf8, encodeUtf8 } from '../json/utf8.ts'
import { openAiChat } from '../openai-chat/codec.ts'
import { openAiResponses } from '../openai-responses/codec.ts'
import { ResponseStream } from '../translation/response-stream.ts'

const estimate = 99

function streamFrom(decoder: UpstreamCodec): ResponseStream {
  return new ResponseStream({
    scanner: new SseScanner(1 << 20),
    decoder,
    maxFrameBytes: 1 << 20,
    encode: {
      codec: anthropicMessages as ChatCodec,
      call: {
        model: 'house',
        responseId: 'r1',
        createdAt: 7,
        includeUsage: true,
        estimatedInputTokens: estimate,
      },
    },
  })
}

/** The usage of `message_start`, as the first frame of an upstream lets it out. */
function firstUsage(decoder: UpstreamCodec, frame: object) {
  const bytes = encodeUtf8(`data: ${JSON.stringify(frame)}\n\n`)
  const { forward } = streamFrom(decoder).push(bytes)
  const [, data = 'null'] = /event: message_start\ndata: (.*)\n/.exec(forward.map(decodeUtf8).join('')) ?? []
  return JSON.parse(data)?.message.usage
}

const chunk = (more: object, choice: object = {}) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null, ...choice }],
  ...more,
})
const counts = { prompt_tokens: 40, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 30 } }
const answer = (usageMetadata: object | undefined, parts: readonly object[]) => ({
  responseId: 'r1',
  candidates: [{ index: 0, content: { role: 'model', parts } }],
  ...(usageMetadata && { usageMetadata }),
})

/** First frames that count the prompt: 40 tokens, of which 30 were cached. */
const counted: readonly (readonly [string, UpstreamCodec, object])[] = [
  ['vLLM with continuous usage, and xAI', openAiChat, chunk({ usage: counts })],
  ['a chunk with a role alone', openAiChat, chunk({ usage: counts }, { delta: { role: 'assistant' } })],
  ['a chunk without a choice', openAiChat, { ...chunk({ usage: counts }), choices: [] }],
  ['Moonshot, in the choice', openAiChat, chunk({}, { usage: counts })],
  ['Groq, in a member of its own', openAiChat, chunk({ x_groq: { id: 'q', usage: counts } })],
  [
    'DeepSeek, by its own name of cached tokens',
    openAiChat,
    chunk({ usage: { prompt_tokens: 40, completion_tokens: 1, prompt_cache_hit_tokens: 30 } }),
  ],
  [
    'Gemini with text',
    gemini,
    answer({ promptTokenCount: 40, candidatesTokenCount: 1, cachedContentTokenCount: 30 }, [{ text: 'Hi' }]),
  ],
  [
    'Gemini with a thought and no count of its response',
    gemini,
    answer({ promptTokenCount: 40, cachedContentTokenCount: 30, totalTokenCount: 45 }, [
      { text: 'Hm.', thought: true },
    ]),
  ],
  [
    'Gemini with a call',
    gemini,
    answer({ promptTokenCount: 40, cachedContentTokenCount: 30 }, [
      { functionCall: { name: 'f', args: {} } },
    ]),
  ],
]

describe('message_start', () => {
  it.each(counted)('carries the count of the first event: %s', (_name, decoder, frame) => {
    expect(firstUsage(decoder as UpstreamCodec, frame)).toMatchObject({
      input_tokens: 10,
      cache_read_input_tokens: 30,
      output_tokens: 0,
    })
  })

  it.each([
    ['without usage', openAiChat, chunk({})],
    ['with a usage of null', openAiChat, chunk({ usage: null })],
    ['with a usage of zeros', openAiChat, chunk({ usage: { prompt_tokens: 0, completion_tokens: 0 } })],
    ['with a total alone', openAiChat, chunk({ usage: { total_tokens: 44 } })],
    ['of Gemini without usage', gemini, answer(undefined, [{ text: 'Hi' }])],
    [
      'of Responses',
      openAiResponses,
      { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [], usage: null } },
    ],
  ] as const)('goes out at once with our estimate after a first event %s', (_name, decoder, frame) => {
    expect(firstUsage(decoder as UpstreamCodec, frame)).toMatchObject({ input_tokens: estimate })
  })

  it('takes the count of an event before the one that begins the response', () => {
    const stream = streamFrom(gemini as UpstreamCodec)
    const frames = [
      { ...answer({ promptTokenCount: 40 }, []), candidates: [] },
      answer(undefined, [{ text: 'Hi' }]),
    ]
    const text = frames
      .flatMap((frame) => stream.push(encodeUtf8(`data: ${JSON.stringify(frame)}\n\n`)).forward)
      .map(decodeUtf8)
      .join('')
    expect(text).toContain('"input_tokens":40,')
    expect(text.match(/event: message_start/g)).toHaveLength(1)
  })
})
