import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { parseExactJson, parseScanned } from './exact-json.ts'
import { NumberText, numberOf, withoutText } from './number-text.ts'
import { scanTopLevel } from './text.ts'
import { isObject, type JsonObject } from './value.ts'

const tokens = [
  '9007199254740993123',
  '-0',
  '1.0',
  '1e400',
  '0.50',
  '1E5',
  '0.0000001',
  '0.12345678901234567890',
]
const plainTokens = [
  '0',
  '-7',
  '0.5',
  '9007199254740991',
  '123456789012345',
  '1e+21',
  '0.30000000000000004',
  '0.000001',
]

const anyToken = fc.oneof(
  fc.constantFrom(...tokens, ...plainTokens),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
  fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,24})?([eE][+-]?\d{1,3})?$/),
)
const anyKey = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.constantFrom('__proto__', 'constructor', 'length', '0', 'a"b'),
)
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    anyToken,
    fc.oneof(fc.string(), fc.constantFrom('1.0', '{"a":1.0}', '"', '\\')).map((text) => JSON.stringify(text)),
    fc.constantFrom('true', 'null', ' [ ] ', '{}'),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join(',\n ')}]`),
    fc
      .uniqueArray(fc.tuple(anyKey, tie('json')), { maxLength: 4, selector: ([key]) => key })
      .map(
        (members) => `{${members.map(([key, value]) => `${JSON.stringify(key)} : ${value}`).join(' , ')}}`,
      ),
  ),
}))

type Revive = (key: string, value: unknown, from: { readonly source?: string }) => unknown
/** TypeScript's library does not know the third argument. https://tc39.es/proposal-json-parse-with-source/ */
const parseWithSources = JSON.parse as (text: string, revive: Revive) => unknown

/** Returns what a text holds, with each number as its text. */
function withTokens(text: string): unknown {
  return parseWithSources(text, (_, value, { source }) =>
    typeof value === 'number' ? `number ${source}` : value,
  )
}

describe('parseExactJson', () => {
  it('keeps the text of every number, and everything else as a parser reads it', () => {
    fc.assert(
      fc.property(json, (text) => {
        const value = parseExactJson(text)
        expect(withTokens(JSON.stringify(value))).toEqual(withTokens(text))
      }),
      { numRuns: 1000 },
    )
  })

  it.each(plainTokens)('reads %s as a number', (token) =>
    expect(parseExactJson(token)).toBe(JSON.parse(token)),
  )
  it.each(tokens)('reads %s as its text', (token) => {
    const value = parseExactJson(token)
    expect(value).toBeInstanceOf(NumberText)
    expect([String(value), numberOf(value), JSON.stringify([value])]).toEqual([
      token,
      Number(token),
      `[${token}]`,
    ])
  })

  it('returns nothing for a text that is not JSON', () => {
    for (const text of ['', '{"a":1.0', '[1.0]]', '01', '"', '{"a":1e400,}', '1.0.0', '-'])
      expect(parseExactJson(text)).toBeUndefined()
  })

  it('believes the last of repeated keys, as the parser does', () => {
    const texts = [
      '{"a":9007199254740993123,"a":9007199254740993124}',
      '{"a":{"b":1e400},"a":{"b":2}}',
      '{"a":[1e400],"a":{"0":7}}',
      '{"a":{"__proto__":{"constructor":1.0}},"a":{}}',
      '{"a":{"b":[[1.0]]},"a":"x"}',
    ]
    expect(texts.map((text) => JSON.stringify(parseExactJson(text)))).toEqual([
      '{"a":9007199254740993124}',
      '{"a":{"b":2}}',
      '{"a":{"0":7}}',
      '{"a":{}}',
      '{"a":"x"}',
    ])
    expect(({} as JsonObject).x).toBeUndefined()
  })

  it('takes no object of a caller for a number', () => {
    const text = '{"text":"1","rawJSON":"1","toJSON":"x","a":1.0}'
    const value = parseExactJson(text)
    expect([isObject(value), numberOf(value), JSON.stringify(value)]).toEqual([true, undefined, text])
  })

  it('says of a number kept as text that it is no object, and what it is as a number', () => {
    const value = parseExactJson('1.50')
    expect([isObject(value), numberOf(value), withoutText(value), withoutText('x')]).toEqual([
      false,
      1.5,
      1.5,
      'x',
    ])
  })

  it('keeps equal numbers equal', () => {
    const value = parseExactJson('[1.0,1.0,1.00]')
    expect(new Set(value as readonly unknown[]).size).toBe(2)
  })

  it('reads hostile nesting as far as the parser does', () => {
    const deep = `${'['.repeat(5000)}1.0${']'.repeat(5000)}`
    expect(JSON.stringify(parseExactJson(deep))).toBe(deep)
  })
})

describe('the body of a request', () => {
  const parsed = (text: string) => {
    const scan = scanTopLevel(text, 100)
    return scan.ok ? parseScanned(text, scan) : undefined
  }

  it('has plain numbers for its fields, as long as a double holds them', () => {
    const text = '{"temperature":1.0,"max_tokens":1e3,"seed":9007199254740993123,"x":{"temperature":1.0}}'
    expect(parsed(text)).toMatchObject({ temperature: 1, max_tokens: 1000 })
    expect(JSON.stringify(parsed(text))).toBe(
      '{"temperature":1,"max_tokens":1000,"seed":9007199254740993123,"x":{"temperature":1.0}}',
    )
  })

  it.each([
    ['{"a":1,"b":[1,-2,0.5,123456789012345],"c":"1.0 1e400"}', false],
    ['{"a":1.0,"b":[1]}', false],
    ['{"a":1e400}', true],
    ['{"a":[1.0]}', true],
    ['{"a":{"b":-0}}', true],
    ['{"a":[9007199254740993]}', true],
    ['{"a":["\\"1.0",{"b":1e5}]}', true],
  ])('%s is looked through for long numbers: %p', (text, expected) => {
    expect(scanTopLevel(text, 100)).toMatchObject({ hasLongNumbers: expected })
  })

  it('is the same as by the scan alone, whatever it holds', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = `{"a":${value}}`
        const inside = /^\s*[[{]/.test(value)
        if (inside) expect(JSON.stringify(parsed(text))).toBe(JSON.stringify(parseExactJson(text)))
      }),
    )
  })
})
