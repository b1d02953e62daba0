import { describe, expect, it } from 'bun:test'
import { RequestFault } from '../canonical/codec.ts'
import { chatCodecs } from '../codecs.ts'
import { isObject, type JsonObject, listOf, objectOf } from '../json/value.ts'
import type { Format } from '../test-support/features/feature.ts'
import { pdf, png, wav } from '../test-support/features/feature.ts'
import { withCallerFieldName } from './caller-field-names.ts'
import { withMovedMedia } from './moved-media.ts'

const formats = Object.keys(chatCodecs) as readonly Format[] // Its keys are the formats.
const models: Readonly<Record<Format, string>> = {
  'openai-chat': 'gpt-5.5',
  'openai-responses': 'gpt-5.5',
  'anthropic-messages': 'claude-sonnet-4-5',
  gemini: 'gemini-3-pro-preview',
}

const pngUrl = `data:image/png;base64,${png}`
const pdfUrl = `data:application/pdf;base64,${pdf}`
const base64 = (type: string, data: string) => ({ type: 'base64', media_type: type, data })
const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } })
const chatCall = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
const chatImage = { type: 'image_url', image_url: { url: pngUrl } }
const chatResult = (...content: readonly JsonObject[]) => [
  { role: 'assistant', content: null, tool_calls: [chatCall] },
  { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'seen' }, ...content] },
]
const claudeCall = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look', input: {} }] }
const claudeResult = (more: JsonObject) => ({
  role: 'user',
  content: [
    {
      type: 'tool_result',
      tool_use_id: 'c',
      content: [
        { type: 'image', source: base64('image/png', png) },
        { type: 'document', source: base64('application/pdf', pdf) },
      ],
      ...more,
    },
  ],
})

/** Turns that hold media beside what the user says, by the format that their caller writes. */
const turns: Readonly<Record<Format, Readonly<Record<string, readonly JsonObject[]>>>> = {
  'openai-chat': {
    'a result': chatResult(chatImage, { type: 'file', file: { file_data: pdfUrl } }),
    'an image of the model': [{ role: 'assistant', content: 'Here.', images: [chatImage] }],
    'content of the model': [{ role: 'assistant', content: [{ type: 'text', text: 'Here.' }, chatImage] }],
    'an image beside a call': [
      { role: 'assistant', content: null, images: [chatImage], tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'c', content: 'seen' },
    ],
  },
  'openai-responses': {
    'a result': [
      { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_image', image_url: pngUrl },
          { type: 'input_file', file_data: pdfUrl },
        ],
      },
    ],
    'an image of the model': [
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: png },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Here.' }] },
    ],
  },
  'anthropic-messages': {
    'a result': [claudeCall, claudeResult({})],
    'a failed result': [claudeCall, claudeResult({ is_error: true })],
  },
  gemini: {
    'a result': [
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'look', response: { seen: 1 }, parts: [inline('image/png', png)] } },
        ],
      },
    ],
    'a failed result': [
      { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: { name: 'look', response: { error: 'no' }, parts: [inline('image/png', png)] },
          },
        ],
      },
    ],
    'an image of the model': [{ role: 'model', parts: [{ text: 'Here.' }, inline('image/png', png)] }],
  },
}

function bodyOf(format: Format, more: readonly JsonObject[]): JsonObject {
  const userTurn = (text: string) => ({ role: 'user', content: text })
  if (format === 'gemini') {
    const spoken = (text: string) => ({ role: 'user', parts: [{ text }] })
    return { contents: [spoken('Go.'), ...more, spoken('And now?')] }
  }
  const conversation = [userTurn('Go.'), ...more, userTurn('And now?')]
  if (format === 'openai-responses') return { model: 'm', input: conversation }
  return { model: 'm', max_tokens: 64, messages: conversation }
}

function sentTo(to: Format, from: Format, body: JsonObject): JsonObject {
  const decoded = chatCodecs[from].decodeRequest(body, { model: 'm', stream: false })
  const request = withMovedMedia(decoded, to)
  try {
    return chatCodecs[to].encodeRequest(request, { model: models[to], streamOptions: true }).body
  } catch (error) {
    throw error instanceof RequestFault ? withCallerFieldName(error, from, request) : error
  }
}

const holdsMedia = (value: unknown): boolean => /iVBORw0KGgo=|JVBERi0xLjQ=/.test(JSON.stringify(value))

/** Everything in a body that may hold no media, by the format of the upstream. */
const textsOnly: Readonly<Record<Format, (body: JsonObject) => readonly unknown[]>> = {
  'openai-chat': ({ messages }) => listOf(messages).filter((message) => objectOf(message).role !== 'user'),
  'openai-responses': ({ input }) => listOf(input).filter((item) => objectOf(item).role === 'assistant'),
  'anthropic-messages': ({ messages }) => [
    ...listOf(messages).filter((message) => objectOf(message).role !== 'user'),
    ...listOf(messages)
      .flatMap((message) => listOf(objectOf(message).content))
      .filter((block) => objectOf(block).is_error === true),
  ],
  gemini: () => [],
}

/** Lists what a body holds, in its order: results of tools, and others. */
const resultsAndOthers: Readonly<Record<Format, (body: JsonObject) => readonly string[]>> = {
  'openai-chat': ({ messages }) => listOf(messages).map((message) => kindOf(objectOf(message).role, 'tool')),
  'openai-responses': ({ input }) =>
    listOf(input).map((item) => kindOf(objectOf(item).type, 'function_call_output')),
  'anthropic-messages': ({ messages }) =>
    listOf(messages)
      .flatMap((message) => listOf(objectOf(message).content))
      .map((block) => kindOf(objectOf(block).type, 'tool_result')),
  gemini: ({ contents }) =>
    listOf(contents)
      .flatMap((content) => listOf(objectOf(content).parts))
      .map((part) => (objectOf(part).functionResponse === undefined ? 'other' : 'result')),
}

const kindOf = (value: unknown, result: string) => (value === result ? 'result' : 'other')

describe.each(formats)('media of a caller of %s', (from) => {
  const rows = Object.entries(turns[from]).flatMap(([name, more]) =>
    formats.filter((to) => to !== from).map((to) => [name, to, more] as const),
  )

  it.each(rows)('in %s reach %s where it takes them', (_name, to, more) => {
    const body = bodyOf(from, more)
    const sent = sentTo(to, from, body)
    for (const data of [png, pdf])
      expect(JSON.stringify(sent).includes(data)).toBe(JSON.stringify(body).includes(data))
    expect(textsOnly[to](sent).filter(holdsMedia)).toEqual([])
    expect(JSON.stringify(sent)).toContain('And now?')
  })
})

describe('withMovedMedia', () => {
  const request = (from: Format, more: readonly JsonObject[]) =>
    chatCodecs[from].decodeRequest(bodyOf(from, more), { model: 'm', stream: false })

  it('leaves a request as it is whose media stand where the format takes them', () => {
    const seen = request('openai-chat', chatResult(chatImage))
    for (const format of ['openai-responses', 'anthropic-messages', 'gemini'] as const)
      expect(withMovedMedia(seen, format)).toBe(seen)
    const plain = request('openai-chat', chatResult())
    for (const format of formats) expect(withMovedMedia(plain, format)).toBe(plain)
  })

  it('says whose the media are, behind all results and before what the user says', () => {
    const [, , , ...rest] = listOf(
      sentTo('openai-chat', 'anthropic-messages', {
        model: 'm',
        max_tokens: 64,
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: ['a', 'b'].map((id) => ({ ...claudeCall.content[0], id })) },
          {
            role: 'user',
            content: [
              { ...(listOf(claudeResult({}).content)[0] as JsonObject), tool_use_id: 'a' },
              { type: 'tool_result', tool_use_id: 'b', content: 'b seen' },
              { type: 'text', text: 'And now?' },
            ],
          },
        ],
      }).messages,
    )
    expect(rest.map((message) => objectOf(message).role)).toEqual(['tool', 'user'])
    const [label, , , last] = listOf(objectOf(rest[1]).content).filter(isObject)
    expect([label?.text, last?.text]).toEqual(['Attached to the result of a:', 'And now?'])
  })

  it.each(formats)('lets nothing stand between results of %s that come in several messages', (from) => {
    const ids = ['a', 'b', 'c']
    const claude = (id: string, more: JsonObject) => ({ type: 'tool_result', tool_use_id: id, ...more })
    const image = { type: 'image', source: base64('image/png', png) }
    const parts = [inline('image/png', png)]
    const calls: Readonly<Record<Format, readonly JsonObject[]>> = {
      'openai-chat': [
        { role: 'assistant', images: [chatImage], tool_calls: ids.map((id) => ({ ...chatCall, id })) },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: [chatImage] })),
      ],
      'openai-responses': [
        ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })),
        ...ids.map((id) => ({
          type: 'function_call_output',
          call_id: id,
          output: [{ type: 'input_image', image_url: pngUrl }],
        })),
      ],
      'anthropic-messages': [
        { role: 'assistant', content: ids.map((id) => ({ ...claudeCall.content[0], id })) },
        { role: 'user', content: [claude('a', { content: [image] })] },
        { role: 'user', content: [claude('b', { content: 'no', is_error: true })] },
        { role: 'user', content: [claude('c', { content: [image] }), { type: 'text', text: 'Both?' }] },
      ],
      gemini: [
        { role: 'model', parts: [...parts, ...ids.map((name) => ({ functionCall: { name, args: {} } }))] },
        ...ids.map((name) => ({
          role: 'user',
          parts: [{ functionResponse: { name, response: { seen: 1 }, parts } }],
        })),
      ],
    }
    for (const to of formats.filter((format) => format !== from)) {
      const sent = sentTo(to, from, bodyOf(from, calls[from]))
      const kinds = resultsAndOthers[to](sent)
      expect(kinds.lastIndexOf('result') - kinds.indexOf('result'), to).toBe(2)
      const held = [sent, bodyOf(from, calls[from])].map((body) => JSON.stringify(body).split(png).length)
      expect(held[0], to).toBe(held[1] ?? 0)
    }
  })

  it('gives images of a response that nothing follows a message of their own', () => {
    const body = { model: 'm', messages: [{ role: 'assistant', content: 'Here.', images: [chatImage] }] }
    const sent = sentTo('openai-responses', 'openai-chat', body)
    expect(listOf(sent.input).map((item) => objectOf(item).role)).toEqual(['assistant', 'user'])
  })

  it('names what the target takes nowhere by its path in the caller’s body', () => {
    const sound = { type: 'input_audio', input_audio: { data: wav, format: 'wav' } }
    const body = bodyOf('openai-chat', chatResult(chatImage, sound))
    expect(() => sentTo('anthropic-messages', 'openai-chat', body)).toThrow(/^messages\[2\]\.content\[2\] /)
  })
})

describe('the type of a medium', () => {
  /** First bytes of files, as base64. */
  const starts = {
    'image/png': png,
    'image/jpeg': '/9j/4AAQSkZJRgABAQ==',
    'image/gif': 'R0lGODlhAQABAIAAAA==',
    'image/webp': 'UklGRiQAAABXRUJQVlA4IA==',
    'application/pdf': pdf,
  } as const
  const types = Object.keys(starts) as readonly (keyof typeof starts)[]
  const image = (type: string, data: string): Readonly<Record<Format, JsonObject>> => {
    const url = `data:${type};base64,${data}`
    const userTurn = (part: JsonObject) => ({ role: 'user', content: [part] })
    return {
      'openai-chat': { model: 'm', messages: [userTurn({ type: 'image_url', image_url: { url } })] },
      'openai-responses': { model: 'm', input: [userTurn({ type: 'input_image', image_url: url })] },
      'anthropic-messages': {
        model: 'm',
        max_tokens: 64,
        messages: [userTurn({ type: 'image', source: base64(type, data) })],
      },
      gemini: { contents: [{ role: 'user', parts: [inline(type, data)] }] },
    }
  }
  const images = types.filter((type) => type.startsWith('image/'))
  const rows = formats.flatMap((from) =>
    formats.flatMap((to) => (to === from ? [] : images.map((type) => [type, from, to] as const))),
  )

  it.each(rows)(
    '%s from a caller of %s reaches %s as its bytes show it, whatever it is called',
    (type, from, to) => {
      const data = starts[type]
      for (const stated of [...images, 'image/jpg', 'image/png'])
        expect(JSON.stringify(sentTo(to, from, image(stated, data)[from]))).toContain(type)
    },
  )

  it.each(formats.filter((from) => from !== 'anthropic-messages'))(
    'is that of a document where a caller of %s puts one among the images',
    (from) => {
      const { messages } = sentTo('anthropic-messages', from, image('image/png', pdf)[from])
      expect(messages).toMatchObject([
        { content: [{ type: 'document', source: base64('application/pdf', pdf) }] },
      ])
    },
  )

  it('stays as it is called where the bytes show none', () => {
    const sent = sentTo('gemini', 'openai-chat', image('image/heic', 'AAAA')['openai-chat'])
    expect(JSON.stringify(sent)).toContain('image/heic')
    const named = sentTo('anthropic-messages', 'openai-chat', image('image/jpg', 'AAAA')['openai-chat'])
    expect(JSON.stringify(named)).toContain('image/jpeg')
  })
})
