import { describe, expect, it } from 'bun:test'
import { decodeEmbeddingRequest, RequestFault } from '@tollgate/formats'
import { textInputs, vectorsIn } from './embeddings.ts'

const names = { vector: 'Embedding', position: 'Index' }

describe('vectorsIn', () => {
  it('puts vectors where they say they stand', () => {
    const list = [
      { Embedding: [2], Index: 1 },
      { Embedding: [1], Index: 0 },
    ]
    expect(vectorsIn(list, names)).toEqual([[1], [2]])
    expect(vectorsIn([{ Embedding: [1] }, { Embedding: [2] }], names)).toEqual([[1], [2]])
  })

  it.each([
    [undefined],
    [[]],
    [[{}]],
    [[{ Embedding: [] }]],
    [[{ Embedding: [1], Index: 1_000_000_000 }]],
    [
      [
        { Embedding: [1], Index: 0 },
        { Embedding: [2], Index: 0 },
      ],
    ],
  ])('finds none in %j', (list) => {
    expect(vectorsIn(list, names)).toBeUndefined()
  })
})

describe('textInputs', () => {
  it('takes texts, and no more of them than the upstream', () => {
    expect(textInputs(decodeEmbeddingRequest({ input: 'a' }), 2)).toEqual(['a'])
    for (const input of [
      [1, 2],
      ['a', 'b', 'c'],
    ])
      expect(() => textInputs(decodeEmbeddingRequest({ input }), 2)).toThrow(RequestFault)
  })
})
