import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { MemberEditor, type MemberTexts } from './member-editor.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

const texts: MemberTexts = {
  model: 'house "x" 模',
  response: { model: 'house' },
  deep: { er: { name: 'n' } },
}

function edited(text: string, cuts: readonly number[] = [], members = texts): string {
  const editor = new MemberEditor(members)
  const bytes = encodeUtf8(text)
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  const pieces = [...ends, bytes.length].map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
  const out = pieces.map((piece) => editor.edit(piece))
  return decodeUtf8(Buffer.concat(out))
}

const house = JSON.stringify(texts.model)

describe('MemberEditor', () => {
  it.each([
    ['{"model":"m"}', `{"model":${house}}`],
    ['{ "model" : "m" , "b": 1.0e2 }', `{ "model" : ${house} , "b": 1.0e2 }`],
    ['{"a":{"model":"m"},"model":"m"}', `{"a":{"model":"m"},"model":${house}}`],
    ['{"a":[{"model":"m"}],"model":""}', `{"a":[{"model":"m"}],"model":${house}}`],
    [
      '{"response":{"tools":[{"model":"m"}],"model":"m"}}',
      '{"response":{"tools":[{"model":"m"}],"model":"house"}}',
    ],
    ['{"response":[{"model":"m"}],"model":null}', '{"response":[{"model":"m"}],"model":null}'],
    ['{"deep":{"er":{"x":{},"name":"m"}},"name":"m"}', '{"deep":{"er":{"x":{},"name":"n"}},"name":"m"}'],
    [
      '{"t":"\\"model\\":\\"m\\"","u":"model","v":["model","m"]}',
      '{"t":"\\"model\\":\\"m\\"","u":"model","v":["model","m"]}',
    ],
    ['{"t":"\\\\","model":"a\\"b\\\\"}', `{"t":"\\\\","model":${house}}`],
    ['[{"model":"m"},\n{"model":"m"}]', `[{"model":${house}},\n{"model":${house}}]`],
    [
      'event: x\ndata: {"model":"m"}\n\n: "ping\n\ndata: {"model":"m"}\n\ndata: [DONE]\n\n',
      `event: x\ndata: {"model":${house}}\n\n: "ping\n\ndata: {"model":${house}}\n\ndata: [DONE]\n\n`,
    ],
    ['{"model":["m"],"x":{"model":"m"}}', '{"model":["m"],"x":{"model":"m"}}'],
    ['{"model":{"model":"m"},"response":"model"}', '{"model":{"model":"m"},"response":"model"}'],
  ])('replaces the text of its members alone: %s', (text, expected) => {
    expect(edited(text)).toBe(expected)
    for (let cut = 0; cut <= encodeUtf8(text).length; cut++) expect(edited(text, [cut])).toBe(expected)
  })

  it('returns the same bytes where nothing is replaced', () => {
    const bytes = encodeUtf8('{"choices":[{"delta":{"content":"model"}}]}')
    expect(new MemberEditor(texts).edit(bytes)).toBe(bytes)
  })

  it('begins anew after an object that was cut', () => {
    const editor = new MemberEditor(texts)
    editor.edit(encodeUtf8('{"a":"'))
    editor.reset()
    expect(decodeUtf8(editor.edit(encodeUtf8('{"model":"m"}')))).toBe(`{"model":${house}}`)
  })

  it('changes nothing else of any value, cut anywhere', () => {
    const object = fc.dictionary(fc.constantFrom('model', 'response', 'a"b', 'x'), fc.jsonValue())
    fc.assert(
      fc.property(
        object,
        fc.array(fc.nat(), { maxLength: 4 }),
        fc.constantFrom(0, 2),
        (value, cuts, space) => {
          const expected = structuredClone(value) as Record<string, unknown>
          if (typeof expected.model === 'string') expected.model = texts.model
          const inner = expected.response as Record<string, unknown> | null
          if (
            typeof inner === 'object' &&
            inner !== null &&
            !Array.isArray(inner) &&
            typeof inner.model === 'string'
          )
            inner.model = 'house'
          expect(edited(JSON.stringify(value, null, space), cuts)).toBe(JSON.stringify(expected, null, space))
        },
      ),
    )
  })
})
