import { describe, expect, it } from 'bun:test'
import fc from 'fast-check'
import { applyOperations } from './apply-operations.ts'
import { parseOperations } from './parse-operations.ts'

const body = {
  model: 'openai/gpt-think',
  temperature: 0.5,
  messages: [
    { role: 'system', content: ' Be kind. ' },
    { role: 'user', content: 'Hi' },
  ],
  tools: [{ name: 'a' }],
  metadata: { a: 1, 'b.c': 2 },
}
const facts = { original_model: 'gpt', upstream_model: 'up' }
const done = (...operations: object[]) => applyOperations(body, parseOperations(operations), facts)

describe('operations on a body', () => {
  it.each<[object, object]>([
    [{ mode: 'set', path: 'temperature', value: null }, { temperature: null }],
    [{ mode: 'set', path: 'a.b.c', value: [1] }, { a: { b: { c: [1] } } }],
    [{ mode: 'set', path: 'temperature', value: 1, keep_origin: true }, {}],
    [{ mode: 'set', path: 'tools.1', value: { name: 'b' } }, { tools: [{ name: 'a' }, { name: 'b' }] }],
    [{ mode: 'set', path: 'tools.7', value: 1 }, {}],
    [{ mode: 'set', path: 'metadata.b\\.c', value: 3 }, { metadata: { a: 1, 'b.c': 3 } }],
    [{ mode: 'set', path: 'model.x', value: 1 }, {}],
    [{ mode: 'delete', path: 'metadata.a' }, { metadata: { 'b.c': 2 } }],
    [{ mode: 'delete', path: 'messages.-2' }, { messages: [body.messages[1]] }],
    [{ mode: 'delete', path: 'nothing.at.all' }, {}],
    [{ mode: 'copy', from: 'temperature', to: 'metadata.t' }, { metadata: { ...body.metadata, t: 0.5 } }],
    [{ mode: 'copy', from: 'nothing', to: 'tools' }, {}],
    [
      { mode: 'append', path: 'messages.-1.content', value: '!' },
      { messages: [body.messages[0], { role: 'user', content: 'Hi!' }] },
    ],
    [{ mode: 'prepend', path: 'tools', value: [1, 2] }, { tools: [1, 2, { name: 'a' }] }],
    [{ mode: 'append', path: 'tools', value: { name: 'b' } }, { tools: [{ name: 'a' }, { name: 'b' }] }],
    [{ mode: 'append', path: 'metadata', value: { a: 9, z: 1 } }, { metadata: { a: 9, 'b.c': 2, z: 1 } }],
    [{ mode: 'prepend', path: 'metadata', value: { a: 9 }, keep_origin: true }, {}],
    [{ mode: 'append', path: 'stop', value: 'x' }, { stop: 'x' }],
    [{ mode: 'append', path: 'temperature', value: 'x' }, {}],
    [{ mode: 'trim_prefix', path: 'model', value: 'openai/' }, { model: 'gpt-think' }],
    [{ mode: 'trim_suffix', path: 'model', value: '-think' }, { model: 'openai/gpt' }],
    [{ mode: 'ensure_prefix', path: 'model', value: 'openai/' }, {}],
    [{ mode: 'ensure_suffix', path: 'model', value: ':free' }, { model: 'openai/gpt-think:free' }],
    [{ mode: 'to_upper', path: 'model' }, { model: 'OPENAI/GPT-THINK' }],
    [{ mode: 'to_lower', path: 'temperature' }, {}],
    [{ mode: 'replace', path: 'model', from: 'i', to: '$&' }, { model: 'opena$&/gpt-th$&nk' }],
    [{ mode: 'replace', path: 'model', from: '/' }, { model: 'openaigpt-think' }],
  ])('%j', (operation, change) => expect(done(operation)).toEqual({ ...body, ...change } as never))

  it('move, trim and go on with what those before them have made', () => {
    const { messages, system } = done(
      { mode: 'move', from: 'messages.0.content', to: 'system' },
      { mode: 'delete', path: 'messages.0' },
      { mode: 'trim_space', path: 'system' },
    )
    expect([messages, system]).toEqual([[body.messages[1]], 'Be kind.'])
  })

  it('share what they do not change, and leave the given body alone', () => {
    const before = structuredClone(body)
    const edited = done(
      { mode: 'append', path: 'tools', value: 1 },
      { mode: 'set', path: '__proto__.x', value: 1 },
    )
    expect(edited.messages).toBe(body.messages)
    expect(body).toEqual(before)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('never throw, whatever the body', () => {
    const paths = fc.constantFrom('a', 'a.b', 'a.-1', 'a.0.b', 'b.1')
    const operations = fc.array(
      fc.oneof(
        fc.record({ mode: fc.constantFrom('set', 'append', 'prepend'), path: paths, value: fc.jsonValue() }),
        fc.record({ mode: fc.constantFrom('delete', 'trim_space', 'to_upper'), path: paths }),
        fc.record({ mode: fc.constantFrom('move', 'copy'), from: paths, to: paths }),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.record({ a: fc.jsonValue(), b: fc.jsonValue() }), operations, (provided, list) => {
        const before = JSON.stringify(provided)
        JSON.stringify(applyOperations(provided, parseOperations(list), facts))
        expect(JSON.stringify(provided)).toBe(before)
      }),
    )
  })
})

describe('conditions', () => {
  const marked = (conditions: object[], logic?: string) =>
    done({ mode: 'set', path: 'mark', value: 1, conditions, ...(logic && { logic }) }).mark === 1
  const yes = { path: 'model', mode: 'prefix', value: 'openai/' }
  const no = { path: 'temperature', mode: 'gt', value: 0.5 }

  it.each<[object, boolean]>([
    [yes, true],
    [no, false],
    [{ ...no, invert: true }, true],
    [{ ...no, mode: 'gte' }, true],
    [{ ...no, mode: 'lte' }, true],
    [{ ...no, mode: 'lt', value: '1' }, false],
    [{ path: 'model', mode: 'suffix', value: '-think' }, true],
    [{ path: 'model', mode: 'contains', value: 'gpt' }, true],
    [{ path: 'tools', mode: 'contains', value: 'gpt' }, false],
    [{ path: 'tools', mode: 'full', value: [{ name: 'a' }] }, true],
    [{ path: 'original_model', mode: 'full', value: 'gpt' }, true],
    [{ path: 'upstream_model', mode: 'full', value: 'gpt' }, false],
    [{ path: 'nothing', mode: 'full', value: 'x', invert: true }, false],
    [{ path: 'nothing', mode: 'full', value: 'x', pass_missing_key: true }, true],
  ])('%j: %p', (condition, expected) => expect(marked([condition])).toBe(expected))

  it('are enough one by one, or all together', () => {
    expect([marked([]), marked([no, yes]), marked([no, yes], 'AND'), marked([yes, yes], 'AND')]).toEqual([
      true,
      true,
      false,
      true,
    ])
  })
})
