import { describe, expect, it } from 'bun:test'
import {
  type MappingDraft,
  mappedNames,
  mappingDraftOf,
  mappingText,
  modelMappingProblem,
  statusMappingProblem,
  switchView,
  unlistedTargets,
  withRow,
} from './mapping.ts'

const rows = (...pairs: readonly (readonly [string, string])[]): MappingDraft => ({
  view: 'rows',
  rows: pairs.map(([from, to], id) => ({ id, from, to })),
})
const json = (text: string): MappingDraft => ({ view: 'json', text })

describe('a mapping as rows', () => {
  it('comes back from its rows as it was stored', () => {
    const text = '{\n  "gpt-4": "gpt-4o",\n  "o1": "o3"\n}'
    expect(mappingText(mappingDraftOf(text))).toBe(text)
  })

  it('is an empty text while nothing is filled in', () => {
    expect(mappingText(mappingDraftOf(''))).toBe('')
    expect(mappingText(mappingDraftOf('{}'))).toBe('')
    expect(mappingText(rows(['', ' ']))).toBe('')
  })

  it('keeps a text that cannot be rows as text', () => {
    expect(mappingDraftOf('{"a":1}')).toEqual(json('{"a":1}'))
    expect(mappingDraftOf('{oops')).toEqual(json('{oops'))
  })

  it('changes its view without losing pairs, and stays in JSON while that is broken', () => {
    expect(switchView(rows(['a', 'b']))).toEqual(json('{\n  "a": "b"\n}'))
    expect(switchView(json('{"a":"b"}'))).toEqual(rows(['a', 'b']))
    expect(switchView(json('{"a":'))).toBeUndefined()
  })

  it('gives a new row an identity of its own after others were taken out', () => {
    const [first] = withRow([])
    expect(first?.id).toBe(0)
    expect(withRow([{ id: 4, from: 'a', to: 'b' }]).map(({ id }) => id)).toEqual([4, 5])
  })
})

describe('problems of a mapping', () => {
  it('names what is wrong with the JSON', () => {
    expect(modelMappingProblem(json('{"a":'))).toBe('notJson')
    expect(modelMappingProblem(json('["a"]'))).toBe('notText')
    expect(modelMappingProblem(json('{"a":1}'))).toBe('notText')
    expect(modelMappingProblem(json(''))).toBeUndefined()
  })

  it('names what is wrong with the rows', () => {
    expect(modelMappingProblem(rows(['a', '']))).toBe('incomplete')
    expect(modelMappingProblem(rows(['a', 'b'], ['a', 'c']))).toBe('duplicate')
    expect(modelMappingProblem(rows(['a', 'b'], ['', '']))).toBeUndefined()
  })

  it('allows chains and a model that maps to itself, but no circle', () => {
    expect(modelMappingProblem(rows(['a', 'b'], ['b', 'c'], ['c', 'c']))).toBeUndefined()
    expect(modelMappingProblem(rows(['a', 'b'], ['b', 'a']))).toBe('cycle')
  })

  it('maps status codes to error codes only', () => {
    expect(statusMappingProblem(rows(['400', '500'], ['200', '429']))).toBeUndefined()
    expect(statusMappingProblem(rows(['500', '200']))).toBe('notStatus')
    expect(statusMappingProblem(json('{"4xx":"500"}'))).toBe('notStatus')
  })

  it('lists the mapped names once they can be read', () => {
    expect(mappedNames(json('{"a":"b"}'))).toEqual(['a'])
    expect(mappedNames(json('{'))).toEqual([])
  })

  it('lists the names that the upstream gets and no list has, but not those in the middle of a chain', () => {
    const draft = rows(['a', 'gpt-4o'], ['b', 'gpt-4oo'], ['c', 'b'], ['d', 'gpt-4oo'])
    expect(unlistedTargets(draft, [['gpt-4o'], ['other']])).toEqual(['gpt-4oo'])
    expect(unlistedTargets(draft, [[], []])).toEqual([])
    expect(unlistedTargets(json('{'), [['gpt-4o']])).toEqual([])
  })
})
