import { describe, expect, it } from 'bun:test'
import { decodeTokenCount, encodeTokenCount, requestToCount } from './token-count.ts'

describe('a count', () => {
  it.each(['anthropic-messages', 'openai-responses', 'gemini'])(
    'of %s is read as it is written',
    (format) => {
      expect(decodeTokenCount(format, encodeTokenCount(format, 77))).toBe(77)
    },
  )

  it('is none where the response holds no whole number', () => {
    for (const body of ['', '[]', '{"input_tokens":-1}', '{"input_tokens":"7"}', '{"input_tokens":1.5}'])
      expect(decodeTokenCount('anthropic-messages', body)).toBeUndefined()
  })
})

describe('the request whose prompt is counted', () => {
  it('is taken out of what Gemini wraps around it', () => {
    const inner = '{"contents": []}'
    expect(requestToCount('gemini', `{"generateContentRequest": ${inner}}`, 9)).toBe(inner)
    expect(requestToCount('gemini', `{"generate_content_request":${inner}}`, 9)).toBe(inner)
    expect(requestToCount('gemini', inner, 9)).toBe(inner)
    expect(requestToCount('gemini', 'nothing', 9)).toBe('nothing')
  })

  it('is the body itself in other formats', () => {
    const body = '{"generateContentRequest":{}}'
    expect(requestToCount('anthropic-messages', body, 9)).toBe(body)
  })
})
