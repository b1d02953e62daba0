import { describe, expect, it } from 'bun:test'
import { slowness } from '../../../../../scripts/deadline/deadline.mjs'
import { Refusal } from '../../lib/refusal.ts'
import { applyOperations } from './apply-operations.ts'
import { OperationBudgetError } from './operation-budget.ts'
import { parseOperations } from './parse-operations.ts'
import { tryOperations } from './try-operations.ts'

const facts = { original_model: 'a', upstream_model: 'b' }
const repeated = (count: number, operation: (at: number) => object) =>
  Array.from({ length: count }, (_, at) => operation(at))

const growing: Readonly<Record<string, readonly object[]>> = {
  'copies into itself': [
    { mode: 'set', path: 'm', value: { a: 1 } },
    ...repeated(60, (at) => ({ mode: 'copy', from: 'm', to: `m.a${at}` })),
  ],
  'copies side by side': [
    { mode: 'set', path: 'm', value: { a: 'text' } },
    ...repeated(60, (at) => [
      { mode: 'copy', from: 'm', to: `n.a${at % 2}` },
      { mode: 'copy', from: 'n', to: `m.b${at % 2}` },
    ]).flat(),
  ],
  'longer replacements': [
    { mode: 'set', path: 't', value: 'a' },
    ...repeated(60, () => ({ mode: 'replace', path: 't', from: 'a', to: 'aa' })),
  ],
  'a list that grows by itself': [
    { mode: 'set', path: 'l', value: [1] },
    ...repeated(60, (at) => ({ mode: 'copy', from: 'l', to: `l.${at + 1}` })),
  ],
}

describe('operations that double', () => {
  it.each(Object.entries(growing))(
    'a request are refused, one by one and when they are saved: %s',
    (_, written) => {
      const operations = parseOperations(written.slice(0, 100))
      const before = performance.now()
      expect(() => applyOperations({ model: 'm' }, operations, facts)).toThrow(OperationBudgetError)
      expect(() => tryOperations(operations)).toThrow(Refusal)
      expect(performance.now() - before).toBeLessThan(500 * slowness())
    },
  )
})

describe('operations', () => {
  it('are tried as if their conditions held', () => {
    const conditions = [{ path: 'model', mode: 'full', value: 'never' }]
    const operations = parseOperations(
      growing['longer replacements']?.map((operation) => ({ ...operation, conditions })),
    )
    expect(() => tryOperations(operations)).toThrow(/Operation \d+ of the parameter override \(replace\)/)
    expect(applyOperations({ model: 'm' }, operations, facts)).toEqual({ model: 'm' })
  })

  it('may read and write much, but not again and again', () => {
    const body = { text: 'x'.repeat(10_000_000), list: Array.from({ length: 500_000 }, () => 1) }
    const once = parseOperations([{ mode: 'to_upper', path: 'text' }])
    expect(applyOperations(body, once, facts).text).toBe('X'.repeat(10_000_000))
    for (const operation of [
      { mode: 'to_upper', path: 'text' },
      { mode: 'set', path: 'list.0', value: 2 },
      { mode: 'set', path: 'a', value: 1, conditions: [{ path: 'list', mode: 'contains', value: 2 }] },
    ])
      expect(() => applyOperations(body, parseOperations(repeated(100, () => operation)), facts)).toThrow(
        OperationBudgetError,
      )
  })

  it('that make a request shorter give room', () => {
    const swap = [
      { mode: 'set', path: 'a', value: 'x'.repeat(1_000_000) },
      { mode: 'set', path: 'a', value: '' },
    ]
    expect(applyOperations({}, parseOperations(repeated(40, (at) => swap[at % 2] ?? {})), facts)).toEqual({
      a: '',
    })
  })
})
