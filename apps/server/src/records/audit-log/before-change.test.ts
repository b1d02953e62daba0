import { describe, expect, it } from 'bun:test'
import { channelBefore, optionBefore } from './before-change.ts'

const change = (before: object, after: object) => ({
  before: JSON.stringify(before),
  after: JSON.stringify(after),
})
const text = (value: string) => ({ text: value, entries: undefined })

describe('an option before a change', () => {
  it('has the text that it had, as long as nobody changed it since', () => {
    const raised = change({ value: '1' }, { value: '3' })
    expect(optionBefore(text('3'), raised)).toBe('1')
    expect(() => optionBefore(text('4'), raised)).toThrow(/changed again since/)
  })

  it('keeps the entries of a map that others changed', () => {
    const priced = change({ a: 1, gone: 2 }, { a: 5, added: 7 })
    const now = { a: 5, added: 7, other: 9 }
    expect(JSON.parse(optionBefore({ text: '', entries: now }, priced))).toEqual({ a: 1, gone: 2, other: 9 })
    expect(() => optionBefore({ text: '', entries: { ...now, a: 6 } }, priced)).toThrow(/changed again since/)
    expect(() => optionBefore({ text: '', entries: { ...now, gone: 2 } }, priced)).toThrow(
      /changed again since/,
    )
  })

  it('takes a model for what it is, whatever its name', () => {
    const priced = change({}, { constructor: 5 })
    expect(optionBefore({ text: '', entries: { constructor: 5 } }, priced)).toBe('{}')
  })

  it('is unknown where the record has a part of it', () => {
    const cut = change({ value: 'aa… (5000 characters in all)' }, { value: 'b' })
    expect(() => optionBefore(text('b'), cut)).toThrow(/cannot be reverted/)
  })
})

describe('a channel before a change', () => {
  const now = { name: 'main', priority: 5, status: 2, models: ['a', 'b'], groups: ['default'] }

  it('has the fields that it had, and its lists without what others did to them', () => {
    const bodyBefore = (before: object, after: object) => channelBefore(now, change(before, after)).body
    expect(bodyBefore({ priority: 1 }, { priority: 5 })).toEqual({ priority: 1 })
    expect(bodyBefore({ models: ['c'] }, { models: ['b'] })).toEqual({ models: 'a,c' })
    expect(bodyBefore({ models: [] }, { models: ['b'] })).toEqual({ models: 'a' })
    expect(channelBefore(now, change({ status: 1 }, { status: 2 }))).toEqual({
      body: {},
      service: { status: 1 },
    })
  })

  it('is not brought over a newer change', () => {
    expect(() => channelBefore(now, change({ priority: 1 }, { priority: 4 }))).toThrow(/changed again since/)
    expect(() => channelBefore(now, change({ models: ['a'] }, { models: ['b'] }))).toThrow(
      /changed again since/,
    )
    expect(() => channelBefore(now, change({ status: 2 }, { status: 1 }))).toThrow(/changed again since/)
  })

  it('has no keys and passwords in a record', () => {
    const keys = change({}, { keys: 'replaced' })
    expect(() => channelBefore(now, keys)).toThrow(/cannot be reverted/)
    const hidden = change({ param_override: '{"proxy":"http://me:***@host"}' }, { param_override: '' })
    expect(() => channelBefore({ ...now, param_override: '' }, hidden)).toThrow(/cannot be reverted/)
    expect(() => channelBefore(now, { before: '', after: '{"name":"main"}' })).toThrow(/cannot be reverted/)
  })
})
