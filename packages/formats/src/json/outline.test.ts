import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { jsonExcess } from './excess.ts'
import { JsonOutline } from './outline.ts'
import { parseJson } from './value.ts'

/** The outline of a text that comes in pieces of a size. */
function outlineOf(text: string, size = 1000): JsonOutline {
  const outline = new JsonOutline()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) outline.push(bytes.subarray(at, at + size))
  return outline
}

const parsed = (outline: JsonOutline) => JSON.parse(outline.text())

describe('an outline', () => {
  it('of a small text holds the same, however it is cut', () => {
    const json = fc.oneof(fc.object({ withNullPrototype: false }), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(
        json,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 2 }),
        (value, size, indent) => {
          const text = JSON.stringify(value, null, indent)
          const outline = outlineOf(text, size)
          expect(parsed(outline)).toEqual(JSON.parse(text))
          expect([outline.isClosed, outline.excess]).toEqual([true, undefined])
        },
      ),
    )
  })

  it('of a text that has not ended is JSON, wherever it is cut off', () => {
    const text = JSON.stringify({ a: ['x"\\\u00e9', { b: 'yy', c: [1, 'z'] }], d: 'end', e: { f: 'g' } })
    const bytes = Buffer.from(text)
    for (let end = 1; end < bytes.length; end += 1) {
      const outline = new JsonOutline()
      outline.push(bytes.subarray(0, end))
      if (/[,:"[{}\]\\]$/.test(bytes.toString('latin1', 0, end))) expect(typeof outline.text()).toBe('string')
      expect(outline.isClosed).toBe(false)
    }
    expect(parsed(outlineOf('{"a":"be'))).toEqual({ a: 'be' })
    expect(parsed(outlineOf('{"a":['))).toEqual({ a: [] })
    expect(parsed(outlineOf('{"a":'))).toEqual({ a: null })
    expect(parsed(outlineOf('{"a'))).toEqual({ a: null })
  })

  it.each([7, 64 * 1024])(
    'of a body of megabytes is short, and has what is read of it (%d bytes at a time)',
    (size) => {
      const vectors = Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => 0.123_456_789))
      const images = {
        data: [{ b64_json: 'A'.repeat(2_000_000) }, { b64_json: `${'é\\"'.repeat(300_000)}` }, { url: '' }],
      }
      const usage = { prompt_tokens: 7, total_tokens: 7, prompt_tokens_details: { cached_tokens: 3 } }
      for (const body of [
        { data: vectors, usage },
        { ...images, usage },
        { x: vectors, y: images, z: 'a'.repeat(3e6), usage },
      ]) {
        const outline = outlineOf(JSON.stringify(body), size)
        expect(outline.isClosed).toBe(true)
        expect(parsed(outline).usage).toEqual(usage)
        expect(outline.text().length).toBeLessThan(2_200_000)
      }
      const retained = parsed(outlineOf(JSON.stringify(images), size)).data
      expect(
        retained.map(({ b64_json, url }: Record<string, string>) => (b64_json ?? url ?? '').length > 0),
      ).toEqual([true, true, false])
    },
  )

  it('stays short whatever comes', () => {
    const million = 1_000_000
    for (const text of [
      `{"a":[${'{"b":"ccccc"},'.repeat(million)}1],"usage":{"n":1}}`,
      `{"a":[${'[],'.repeat(million)}1],"usage":{"n":1}}`,
      `{"a":["${'x'.repeat(300)}"${`,"${'y'.repeat(300)}"`.repeat(20_000)}],"usage":{"n":1}}`,
      `{"a":[${'1,'.repeat(million)}1],"usage":{"n":1}}`,
      `{${Array.from({ length: 9000 }, (_, at) => `"k${at}":["${'x'.repeat(900)}",{"a":"${'b'.repeat(900)}"}]`)},"usage":{"n":1}}`,
    ]) {
      const outline = outlineOf(text, 50_000)
      expect(outline.text().length).toBeLessThan(3_000_000)
      expect(outline.isClosed).toBe(true)
      if (!text.startsWith('{"k')) expect(parsed(outline).usage).toEqual({ n: 1 })
    }
    expect(outlineOf('{}'.repeat(million)).text()).toBe('{}')
    expect(outlineOf(`{"a":1} ${' '.repeat(1000)}`).isClosed).toBe(true)
  })

  it('ends where the text cannot be a response', () => {
    expect(outlineOf('['.repeat(100_000)).excess).toBe('too-deep')
    expect(outlineOf(`{"a":${'['.repeat(511)}`).excess).toBeUndefined()
    const members = (count: number) => `{"x":{${Array.from({ length: count }, (_, at) => `"${at}":1`)}}}`
    expect(outlineOf(members(10_000)).excess).toBeUndefined()
    expect(outlineOf(members(10_001)).excess).toBe('too-wide')
    expect(outlineOf('data: {"a":1}').isJson).toBe(false)
  })

  it('names the members of the top that have begun', () => {
    expect([...outlineOf('{"id":1,"choices":[{"x":').topKeys]).toEqual(['id', 'choices'])
  })
})

describe('JSON that is parsed whole', () => {
  const padding = ' '.repeat(70_000)
  it.each([
    ['[', 'too-deep'],
    ['{"a":', 'too-deep'],
    ['[],', 'too-wide'],
    ['"a":1,', 'too-wide'],
    ['1,', 'too-wide'],
    ['"",', 'too-wide'],
    ['\\', undefined],
    [']', undefined],
  ] as const)('may not be a million times %s', (part, excess) => {
    expect(jsonExcess(padding + part.repeat(2_500_000))).toBe(excess)
    expect(parseJson(padding + part.repeat(2_500_000))).toBeUndefined()
  })

  it('may have long texts, and any shape that a response has', () => {
    const body = {
      a: 'x'.repeat(5_000_000),
      b: Array.from({ length: 300_000 }, () => 0.25),
      c: '\\"'.repeat(1000),
    }
    expect(parseJson(JSON.stringify(body))).toEqual(body)
  })
})
