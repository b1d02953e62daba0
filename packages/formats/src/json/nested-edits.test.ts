import { describe, expect, it } from 'bun:test'
import { type NestedEdit, textWithEdits, valueWithEdits } from './nested-edits.ts'

const remove = (...path: (string | number)[]): NestedEdit => ({ path, text: undefined })

describe('textWithEdits', () => {
  it.each([
    ['the first member', '{ "a":1, "b" : 2 }', [remove('a')], '{ "b" : 2 }'],
    ['the last member', '{"a":1 ,"b":2}', [remove('b')], '{"a":1}'],
    ['the only member', '{ "a" : [1] }', [remove('a')], '{  }'],
    ['neighbours at the end', '{"a":1,"b":2,"c":3}', [remove('b'), remove('c')], '{"a":1}'],
    ['neighbours at the beginning', '{"a":1,"b":2,"c":3}', [remove('b'), remove('a')], '{"c":3}'],
    ['both ends', '{"a":1,"b":2,"c":3}', [remove('a'), remove('c')], '{"b":2}'],
    ['items of a list', '[1, {"a":2}, "x"]', [remove(0), remove(2)], '[{"a":2}]'],
    ['every member of a name', '{"a":1,"b":2,"a":3}', [remove('a')], '{"b":2}'],
    ['a key that is written with escapes', '{"\\u0061":1,"b":2}', [remove('a')], '{"b":2}'],
    ['nothing where the path leads nowhere', '{"a":1}', [remove('b', 'c'), remove('a', 0)], '{"a":1}'],
  ])('removes %s', (_, text, edits, expected) => {
    expect(textWithEdits(text, edits)).toBe(expected)
    expect(valueWithEdits(JSON.parse(text), edits)).toEqual(JSON.parse(expected))
  })

  it('leaves every other character: odd spaces, long numbers, escapes', () => {
    const text = '{"m":[ {"n" : 9007199254740993123, "x":{"y":1e400}} ,{"s":"\\u00e9","x":{"y":"]}"}}]}'
    const edits = [remove('m', 0, 'x', 'y'), { path: ['m', 1, 'x', 'y'], text: '"new"' }]
    expect(textWithEdits(text, edits)).toBe(
      '{"m":[ {"n" : 9007199254740993123, "x":{}} ,{"s":"\\u00e9","x":{"y":"new"}}]}',
    )
  })
})

describe('valueWithEdits', () => {
  it('shares what it does not touch', () => {
    const value = { a: { b: 1 }, list: [{ c: 1 }, { d: 2, e: 3 }] }
    const made = valueWithEdits(value, [remove('list', 1, 'd')])
    expect(made).toEqual({ a: { b: 1 }, list: [{ c: 1 }, { e: 3 }] })
    expect((made as typeof value).a).toBe(value.a)
    expect((made as typeof value).list[0]).toBe(value.list[0])
  })
})
