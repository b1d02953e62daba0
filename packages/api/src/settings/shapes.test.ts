import { describe, expect, it } from 'bun:test'
import {
  chatLinks,
  modelHeaders,
  numberMap,
  rateLimits,
  requestLimits,
  textList,
  textMap,
  videoPrices,
} from './shapes.ts'

const codeOf = (result: { ok: boolean; code?: string }) => (result.ok ? 'ok' : result.code)

describe('a map of numbers', () => {
  const ratios = numberMap({ max: 100, required: 'default' })

  it('has names and numbers', () => {
    expect(ratios({ default: 1, vip: 0, 'gpt-4.1': 0.5 })).toEqual({
      ok: true,
      value: { default: 1, vip: 0, 'gpt-4.1': 0.5 },
    })
  })

  it.each([[null], [[]], ['{}'], [1], [true]])('refuses %j instead of an object', (value) => {
    expect(codeOf(ratios(value))).toBe('option_not_json_object')
  })

  it.each([['1'], [null], [-0.1], [100.1], [Number.POSITIVE_INFINITY], [Number.NaN], [true], [{}]])(
    'refuses %j for a number and names the entry',
    (value) => {
      expect(ratios({ default: 1, vip: value })).toEqual({
        ok: false,
        code: 'option_entry_number',
        details: { entry: 'vip', min: 0, max: 100 },
      })
    },
  )

  it('refuses fractions where whole numbers are needed', () => {
    const tokens = numberMap({ max: 100, min: 1, integer: true })
    expect(codeOf(tokens({ a: 1.5 }))).toBe('option_entry_integer')
    expect(codeOf(tokens({ a: 0 }))).toBe('option_entry_integer')
    expect(codeOf(tokens({ a: 100 }))).toBe('ok')
  })

  it('requires the entry that must stay, and restores the one with a default', () => {
    expect(ratios({ vip: 1 })).toEqual({
      ok: false,
      code: 'option_entry_required',
      details: { entry: 'default' },
    })
    expect(numberMap({ max: 10, restored: { default: 8 } })({ a: 1 })).toEqual({
      ok: true,
      value: { default: 8, a: 1 },
    })
  })

  it('has only the given entries, whatever their names', () => {
    const map = numberMap({ max: 1 })({})
    for (const name of ['constructor', 'toString', '__proto__'])
      expect(map.ok && map.value[name]).toBeUndefined()
    expect(codeOf(ratios(JSON.parse('{"__proto__":{"default":1}}')))).toBe('option_entry_number')
  })

  it('refuses empty names, and names and maps that are too long', () => {
    expect(codeOf(ratios({ default: 1, '': 1 }))).toBe('option_entry_name')
    expect(codeOf(ratios({ default: 1, ['x'.repeat(201)]: 1 }))).toBe('option_entry_name')
    const endless = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`m${index}`, 1]))
    expect(codeOf(ratios(endless))).toBe('option_too_many')
  })

  it('is frozen', () => {
    const map = ratios({ default: 1 })
    expect(map.ok && Object.isFrozen(map.value)).toBe(true)
  })
})

describe('texts', () => {
  it('are texts of bounded length', () => {
    expect(codeOf(textMap({ maxLength: 3 })({ a: 'abc' }))).toBe('ok')
    expect(codeOf(textMap({ maxLength: 3 })({ a: 'abcd' }))).toBe('option_entry_text')
    expect(codeOf(textMap({ maxLength: 3 })({ a: 1 }))).toBe('option_entry_text')
    expect(textList({ maxLength: 3 })(['a', 2])).toEqual({
      ok: false,
      code: 'option_entry_text',
      details: { entry: '2', max: 3 },
    })
    expect(codeOf(textList({ maxLength: 3 })({}))).toBe('option_not_json_array')
  })
})

describe('chat links', () => {
  it('are objects of one name and one link, in order', () => {
    const links = [{ Web: 'https://chat.example/?key={key}' }, { App: 'app://open?key={key}' }]
    expect(chatLinks(links)).toEqual({ ok: true, value: links })
    expect(chatLinks([])).toEqual({ ok: true, value: [] })
  })

  it.each([
    [{}],
    [{ a: 'https://a.example', b: 'https://b.example' }],
    [{ a: 1 }],
    [{ a: 'no address' }],
    [{ a: 'javascript:alert(1)' }],
    [{ a: 'DATA:text/html,x' }],
    ['https://a.example'],
    [null],
  ])('refuse the entry %j by its place', (entry) => {
    expect(chatLinks([{ Web: 'https://chat.example' }, entry])).toEqual({
      ok: false,
      code: 'option_entry_chat_link',
      details: { entry: 2 },
    })
  })
})

describe('model headers', () => {
  it('map a model to header names with lists of values', () => {
    const headers = { 'claude-3-7': { 'anthropic-beta': ['one', 'two'] } }
    expect(modelHeaders(headers)).toEqual({ ok: true, value: headers })
    expect(modelHeaders({})).toEqual({ ok: true, value: {} })
  })

  it.each([
    [{ 'x-a': 'text' }],
    [{ 'x-a': [1] }],
    [{ 'x-a': ['a\r\nx-b: c'] }],
    [{ 'x a': ['b'] }],
    [['x-a']],
    ['x-a: b'],
  ])('refuse %j and name the model', (headers) => {
    expect(modelHeaders({ m: headers })).toMatchObject({ ok: false, code: 'option_entry_headers' })
  })
})

describe('prices of videos', () => {
  it('have a unit, and factors by resolution', () => {
    const read = videoPrices({
      a: { unit: 'second', resolutions: { '1080p': 1.5, '4k': 3 } },
      b: { unit: 'call' },
      c: { unit: 'call', sound: 2 },
    })
    expect(read).toEqual({
      ok: true,
      value: {
        a: { unit: 'second', resolutions: { '1080p': 1.5, '4k': 3 } },
        b: { unit: 'call', resolutions: {} },
        c: { unit: 'call', resolutions: {}, sound: 2 },
      },
    })
  })

  it.each([
    {},
    { unit: 'minute' },
    { unit: 'call', price: 1 },
    { unit: 'call', resolutions: { '720P': 1 } },
    { unit: 'call', resolutions: { '720p': -1 } },
    { unit: 'call', resolutions: [] },
    { unit: 'call', sound: -1 },
    { unit: 'call', sound: true },
    null,
    'second',
  ])('refuse %j and name the model', (rule) => {
    expect(videoPrices({ m: rule })).toMatchObject({
      ok: false,
      code: 'option_entry_video_price',
      details: { entry: 'm' },
    })
  })
})

describe('limits', () => {
  it('default to none, and are refused by name', () => {
    expect(rateLimits({ vip: { concurrency: 3 } })).toEqual({
      ok: true,
      value: { vip: { requests_per_minute: 0, tokens_per_minute: 0, concurrency: 3 } },
    })
    for (const bad of [{ vip: 3 }, { vip: { rpm: 1 } }, { vip: { concurrency: -1 } }, { vip: null }])
      expect(rateLimits(bad)).toMatchObject({ ok: false, details: { entry: 'vip' } })
  })

  it('of requests are a total and a number of successes', () => {
    expect(requestLimits({ vip: [0, 5] }).ok).toBe(true)
    for (const bad of [{ vip: [1] }, { vip: [1, 0] }, { vip: [1, 2, 3] }, { vip: 'x' }])
      expect(requestLimits(bad).ok).toBe(false)
  })
})
