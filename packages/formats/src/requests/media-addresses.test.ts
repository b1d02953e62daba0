import { describe, expect, it } from 'bun:test'
import type { PublicFormat } from '../canonical/request.ts'
import type { JsonObject } from '../json/value.ts'
import { mediaAddressesIn, withMediaBytes } from './media-addresses.ts'

const url = 'https://a.example/cat'
const png = { mediaType: 'image/png', data: 'AAAA' }
const inline = 'data:image/png;base64,AAAA'

/** One part with an address, the same with the bytes, and where it stands. */
const cases: readonly (readonly [PublicFormat, JsonObject, JsonObject, string])[] = [
  [
    'openai-chat',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] }] },
    {
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: inline, detail: 'low' } }] },
      ],
    },
    'messages[0].content[0]',
  ],
  [
    'openai-responses',
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }] },
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: inline }] }] },
    'input[0].content[0]',
  ],
  [
    'anthropic-messages',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }] },
    {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
        },
      ],
    },
    'messages[0].content[0]',
  ],
  [
    'gemini',
    { contents: [{ parts: [{ file_data: { file_uri: url } }] }] },
    { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }] },
    'contents[0].parts[0]',
  ],
]

describe('media by address', () => {
  it.each(cases)('are found in %s, and replaced by their bytes', (format, body, replaced, param) => {
    expect(mediaAddressesIn(format, body)).toEqual([{ url, param }])
    const requested = { model: 'm', ...body }
    const text = JSON.stringify(requested)
    const written = withMediaBytes(format, { text, body: requested }, new Map([[url, png]]))
    expect(JSON.parse(written)).toEqual({ model: 'm', ...replaced })
  })

  it('leave every other character as it was', () => {
    const image = (source: string) =>
      `{ "cache_control" : {"type":"ephemeral"} ,"source": ${source}, "type":"image"}`
    const text = (source: string) =>
      [
        ' {"metadata":{"n":1e2}, "messages" : [ {"role":"user","content":"caf\\u00e9 \\" {["},',
        '{"role":"assistant","content":[{"type":"tool_use","input":{"n":12345678901234567890,"source":{"type":"url","url":"https://a.example/cat"}}}]},',
        `{"role":"user","content":[{"type":"tool_result","content":[${image(source)} , ${image('{"type":"base64","data":"BB"}')}]},`,
        `\t${image(source)}], "n": [1.0, -0, {}, [], null , true]} ], "max_tokens":1.0 } `,
      ].join('\n')
    const requested = text(JSON.stringify({ type: 'url', url }))
    const request = { text: requested, body: JSON.parse(requested) }
    expect(withMediaBytes('anthropic-messages', request, new Map([[url, png]]))).toBe(
      text(JSON.stringify({ type: 'base64', media_type: 'image/png', data: 'AAAA' })),
    )
    expect(withMediaBytes('anthropic-messages', request, new Map())).toBe(requested)
  })

  it('are found by the text, whatever keys it repeats', () => {
    const image = `{"type":"image","source":{"type":"url","url":"${url}"}}`
    for (const [first, last] of [
      [`[1,${image},3]`, `[${image}]`],
      [`[1]`, `[${image},${image}]`],
      ['"text"', `[${image}]`],
      [`[${image}]`, '{"a":1}'],
    ]) {
      const text = `{"messages":[{"content":${first},"content":${last}}],"max_tokens":1}`
      const requested = { text, body: JSON.parse(text) }
      const written = JSON.parse(withMediaBytes('anthropic-messages', requested, new Map([[url, png]])))
      expect(written.max_tokens).toBe(1)
      expect(mediaAddressesIn('anthropic-messages', written)).toEqual([])
    }
  })

  it('are not what tools were called with, what is inline already, or what Google keeps', () => {
    const source = { type: 'url', url }
    const called = [{ role: 'assistant', content: [{ type: 'tool_use', input: { source } }] }]
    expect(mediaAddressesIn('anthropic-messages', { messages: called, tools: [{ source }] })).toEqual([])
    const part = { type: 'image_url', image_url: { url: inline } }
    expect(mediaAddressesIn('openai-chat', { messages: [{ role: 'user', content: [part] }] })).toEqual([])
    const files = [
      'https://youtu.be/x',
      'https://generativelanguage.googleapis.com/v1beta/files/x',
      'gs://b/x',
    ]
    const parts = files.map((fileUri) => ({ fileData: { fileUri } }))
    expect(mediaAddressesIn('gemini', { contents: [{ parts }] })).toEqual([])
  })
})
