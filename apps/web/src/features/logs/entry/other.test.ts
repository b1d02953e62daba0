import { describe, expect, it } from 'bun:test'
import { readOther } from './other.ts'

describe('readOther', () => {
  it('reads what the gateway writes', () => {
    const other = {
      model_ratio: 1.25,
      model_price: -1,
      is_model_mapped: true,
      upstream_model_name: 'gpt-4o-2024-11-20',
      ended: 'client_gone',
      image: true,
      image_input: 7,
      image_ratio: 2,
      cache_creation_tokens_1h: 3,
      usage_disbelieved: { prompt_tokens: 99_999_999, completion_tokens: 1, reasoning_tokens: 0 },
      timing: { routed: 1, sent: 2, first_token: 3, done: 4 },
      error: { code: 'x', status: 403, reason: 'insufficient_user_quota', params: { balance: 3 } },
      admin_info: {
        use_channel: ['1', '2'],
        attempts: [{ channel: 2, key: 1, ms: 9, status: 200, kind: 'ok' }],
      },
    }
    expect(readOther(JSON.stringify(other))).toEqual({ other, broken: false })
  })

  it('knows an empty text from a broken one', () => {
    expect(readOther('')).toEqual({ other: {}, broken: false })
    for (const text of ['{"model_ratio":', 'null', '[]', '7', '"text"', 'undefined']) {
      expect(readOther(text)).toEqual({ other: {}, broken: true })
    }
  })

  it('leaves out single fields that do not fit and keeps the rest', () => {
    const odd = {
      model_ratio: '1.25',
      group_ratio: 0.8,
      cache_tokens: null,
      claude: 1,
      ended: '',
      timing: { routed: 1 },
      usage_disbelieved: { prompt_tokens: '5', completion_tokens: 1 },
      admin_info: { use_channel: [1, 2], attempts: [{ channel: 'x' }, { channel: 3, ms: 4 }, 5] },
    }
    expect(readOther(JSON.stringify(odd)).other).toEqual({
      group_ratio: 0.8,
      admin_info: { use_channel: ['1', '2'], attempts: [{ channel: 3, ms: 4, key: 0, status: 0, kind: '' }] },
    })
    const error = { code: 'x', status: 403, reason: 7, params: { needed: {}, param: 'model' } }
    expect(readOther(JSON.stringify({ error })).other).toEqual({
      error: { code: 'x', status: 403, params: { param: 'model' } },
    })
    expect(readOther('{"admin_info":"hidden","timing":[],"error":{"code":1}}')).toEqual({
      other: {},
      broken: false,
    })
  })
})
