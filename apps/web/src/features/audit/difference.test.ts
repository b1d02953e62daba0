import { describe, expect, it } from 'bun:test'
import { changesOf, isTimeField, spokenName, valueText } from './difference.ts'

describe('what a record says was changed', () => {
  it('is told field by field', () => {
    const record = { before: '{"group":"default","quota":5}', after: '{"group":"vip","quota":7}' }
    expect(changesOf(record)).toEqual([
      { name: 'group', before: 'default', after: 'vip' },
      { name: 'quota', before: 5, after: 7 },
    ])
  })

  it('knows fields that came or went', () => {
    expect(changesOf({ before: '', after: '{"name":"a","tag":"","models":[]}' })).toEqual([
      { name: 'name', before: undefined, after: 'a' },
    ])
  })

  it('survives texts that are no JSON', () => {
    expect(changesOf({ before: 'cut off {', after: '[1]' })).toEqual([
      { name: 'value', before: 'cut off {', after: [1] },
    ])
  })
})

describe('a value', () => {
  it('is one item a line where it is a list, and indented where it is JSON', () => {
    expect(valueText(['a', 'b'])).toBe('a\nb')
    expect(valueText('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(valueText(false)).toBe('false')
  })

  it('is a moment by the name of its field', () => {
    expect(isTimeField('deletedAt')).toBe(true)
    expect(isTimeField('status')).toBe(false)
    expect(spokenName('displayName')).toBe('Display name')
    expect(spokenName('base_url')).toBe('Base url')
  })
})
