import { describe, expect, it } from 'bun:test'
import type { PublicFormat } from './canonical/format.ts'
import type { JsonObject } from './json-value.ts'
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
    const asked = { model: 'm', ...body }
    expect(withMediaBytes(format, asked, new Map([[url, png]]))).toEqual({ model: 'm', ...replaced })
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
