import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { JsonTemplate } from './template.ts'

describe('JSON that is repeated', () => {
  it('is that of the object, whatever the text and the rest of it are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'binary' }),
        fc.jsonValue(),
        (model, text, rest) => {
          const make = (stated: string) => ({ model, parts: [{ said: stated }], rest })
          expect(new JsonTemplate(make).with(text)).toBe(JSON.stringify(make(text)))
        },
      ),
    )
  })

  it('is that of the object behind other members', () => {
    const json = new JsonTemplate((stated) => ({ said: stated, rest: [1] }))
    expect(json.numbered('{"number":', 7, 'a "b"\n\ud800')).toBe(
      JSON.stringify({ number: 7, said: 'a "b"\n\ud800', rest: [1] }),
    )
  })

  it('is so when the rest holds what marks the place', () => {
    const make = (stated: string) => ({ model: '~', parts: [{ said: stated }], rest: '~~' })
    expect(new JsonTemplate(make).with('a "b"')).toBe(JSON.stringify(make('a "b"')))
  })
})
