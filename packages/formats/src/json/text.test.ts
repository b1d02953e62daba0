import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { type JsonScan, memberText, scanTopLevel, spliceMembers } from './text.ts'

const depth = 64

function scanOf(text: string): JsonScan {
  const scan = scanTopLevel(text, depth)
  if (!scan.ok) throw new Error(`${scan.reason}: ${text}`)
  return scan
}

/** JSON text of an object with arbitrary white space between its tokens. */
const space = fc.constantFrom('', ' ', '\n', '\t', ' \r\n ')
const key = fc.oneof(
  fc.constantFrom(
    'model',
    'stream',
    'a',
    '',
    '__proto__',
    'say "hi"',
    'back\\slash',
    '\u0000',
    'é',
    '漢字',
    '😀',
  ),
  fc.string({ maxLength: 6 }),
)
const spacedObject = fc
  .tuple(
    fc.uniqueArray(fc.tuple(key, fc.jsonValue(), fc.array(space, { minLength: 6, maxLength: 6 })), {
      selector: ([k]) => k,
      maxLength: 8,
    }),
    space,
  )
  .map(([entries, tail]) => {
    const body = entries.map(
      ([name, value, s]) => `${s[0]}${JSON.stringify(name)}${s[1]}:${s[2]}${JSON.stringify(value)}${s[3]}`,
    )
    return `${tail}{${body.join(',')}}${tail}`
  })

function nesting(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(nesting))
}

describe('scanTopLevel', () => {
  it('finds every top-level member with the text of its value', () => {
    fc.assert(
      fc.property(spacedObject, (text) => {
        const scan = scanOf(text)
        const parsed = JSON.parse(text)
        expect([...scan.members.keys()]).toEqual(scan.list.map((item) => item.key))
        expect(new Set(scan.members.keys())).toEqual(new Set(Object.keys(parsed)))
        for (const item of scan.list) expect(JSON.parse(memberText(text, item))).toEqual(parsed[item.key])
        expect(scan.depth).toBe(nesting(parsed))
        expect(text[scan.closeBrace]).toBe('}')
      }),
    )
  })

  it('resolves escapes in keys and reports keys that appear twice', () => {
    const scan = scanOf('{"mo\\u0064el":1,"x":2,"model":3}')
    expect(scan.duplicates).toEqual(new Set(['model']))
    expect(scan.members.get('model')).toBe(scan.list.at(-1))
  })

  it('is not fooled by quotes, braces and backslashes inside strings', () => {
    const text = '{"a":"\\\\\\"}{[\\\\","b":"]}","c":[{"d":"\\""}]}'
    expect([...scanOf(text).members.keys()]).toEqual(Object.keys(JSON.parse(text)))
  })

  it('refuses deeper nesting than allowed and allows exactly that depth', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect(scanTopLevel(nested(5), 5)).toMatchObject({ ok: true, depth: 5 })
    expect(scanTopLevel(nested(6), 5)).toEqual({ ok: false, reason: 'too-deep' })
  })

  it.each([
    '',
    ' ',
    'null',
    '[]',
    '"x"',
    '{',
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1}}',
    '{"a":1} x',
    '{"a":"',
    '{"a":"\\',
    '{"a"}',
    '{a:1,}',
    ']',
    '{]',
    '\u0000',
  ])('says that %j is not an object', (text) => {
    expect(scanTopLevel(text, depth)).toEqual({ ok: false, reason: 'not-object' })
  })

  it('refuses a body of too many members instead of filling memory', () => {
    const body = `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":0`).join(',')}}`
    expect(scanTopLevel(body, depth)).toEqual({ ok: false, reason: 'too-many-members' })
  })

  it.each(['[]', '{}', '""', '{"":0}'])(
    'refuses a body of a million %s in its depths, which a parser would take seconds for',
    (part) => {
      const body = `{"a":[${`${part},`.repeat(1_000_000)}0]}`
      expect(scanTopLevel(body, depth)).toEqual({ ok: false, reason: 'too-many-members' })
      expect(scanTopLevel(body, depth, Number.POSITIVE_INFINITY)).toMatchObject({ ok: true })
    },
  )

  it('never throws on text that is not JSON', () => {
    const soup = fc.array(
      fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', ' ', 'a', '1', '\u0000', '\ud800'),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(soup, (parts) => void scanTopLevel(`{${parts.join('')}`, 8)),
      { numRuns: 2000 },
    )
  })

  it('accepts whatever JSON.parse accepts as an object', () => {
    const soup = fc.array(fc.constantFrom('{', '}', '[', ']', '"a"', '"\\""', ':', ',', ' ', '1', 'null'), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(soup, (parts) => {
        const text = `{${parts.join('')}}`
        try {
          JSON.parse(text)
        } catch {
          return
        }
        expect(scanTopLevel(text, depth).ok).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it('takes time in proportion to hostile text', () => {
    const megabyte = 1_000_000
    const started = performance.now()
    scanTopLevel(`{"a":"${'\\'.repeat(megabyte)}`, depth)
    scanTopLevel(`{"a":"${'\\"'.repeat(megabyte)}"}`, depth)
    scanTopLevel(`{"a":${'['.repeat(megabyte)}`, megabyte * 2)
    scanTopLevel(`{${'"":0'.repeat(megabyte)}`, depth)
    scanTopLevel(`{${' '.repeat(megabyte)}`, depth)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('spliceMembers', () => {
  const edits = fc.dictionary(key, fc.option(fc.jsonValue(), { nil: undefined }), {
    maxKeys: 5,
    noNullPrototype: true,
  })

  it('equals the same edit on the parsed object', () => {
    fc.assert(
      fc.property(
        spacedObject,
        fc.array(fc.tuple(key, fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 5 }),
        (text, changes) => {
          const texts = new Map(
            changes.map(([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)]),
          )
          const expected = new Map(Object.entries(JSON.parse(text)))
          for (const [name, value] of texts) {
            if (value === undefined) expected.delete(name)
            else expected.set(name, JSON.parse(value))
          }
          const spliced = spliceMembers(text, scanOf(text), texts)
          expect(new Map(Object.entries(JSON.parse(spliced)))).toEqual(expected)
        },
      ),
    )
  })

  it('leaves every member that is not edited as it is, byte for byte', () => {
    fc.assert(
      fc.property(spacedObject, edits, (text, changes) => {
        const texts = new Map(
          Object.entries(changes).map(([name, value]) => [
            name,
            value === undefined ? undefined : JSON.stringify(value),
          ]),
        )
        const before = scanOf(text)
        const spliced = spliceMembers(text, before, texts)
        const after = scanOf(spliced)
        for (const item of before.list) {
          if (texts.has(item.key)) continue
          const same = after.members.get(item.key)
          expect(spliced.slice(same?.keyStart, same?.end)).toBe(text.slice(item.keyStart, item.end))
        }
        expect(spliced.slice(after.closeBrace)).toBe(text.slice(before.closeBrace))
      }),
    )
  })

  it('returns the very text when nothing is edited or only absent members are removed', () => {
    const text = '{ "a" : 1 }'
    expect(spliceMembers(text, scanOf(text), new Map())).toBe(text)
    expect(spliceMembers(text, scanOf(text), new Map([['b', undefined]]))).toBe(text)
  })

  it.each([
    ['{ "a": 1, "b": 2 }', { b: '3' }, '{ "a": 1, "b": 3 }'],
    ['{ "a": 1, "b": 2 }', { a: undefined }, '{ "b": 2 }'],
    ['{ "a": 1, "b": 2 }', { b: undefined }, '{ "a": 1 }'],
    ['{"a":1,"b":2,"c":3}', { b: undefined, c: undefined }, '{"a":1}'],
    ['{"a":1,"b":2,"c":3}', { a: undefined, b: undefined, c: undefined }, '{}'],
    ['{"a":1,"b":2}', { a: undefined, d: '4' }, '{"b":2,"d":4}'],
    ['{"a":1}', { a: undefined, d: '4' }, '{"d":4}'],
    ['{}', { d: '4', e: '5' }, '{"d":4,"e":5}'],
    [' { } ', { d: '4' }, ' { "d":4} '],
    ['{"a":1,"x":0,"a":2}', { a: '3' }, '{"a":3,"x":0}'],
    ['{"a":1,"x":0,"a":2}', { a: undefined }, '{"x":0}'],
    ['{"a":1,"a":2}', { a: undefined, b: '1' }, '{"b":1}'],
  ] as const)('edits %s by %j', (text, changes, expected) => {
    const spliced = spliceMembers(text, scanOf(text), new Map(Object.entries(changes)))
    expect(spliced).toBe(expected)
  })
})
