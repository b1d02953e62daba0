import { describe, expect, it } from 'bun:test'
import { batchNames, batchSuffixLength, randomBelow } from './batch.ts'

describe('names of a batch', () => {
  it('are the typed one first, then the typed one with six random letters or digits', () => {
    expect(batchNames('ci', 1, () => 0)).toEqual(['ci'])
    expect(batchNames('ci', 3, (below) => below - 1)).toEqual(['ci', 'ci-zzzzzz', 'ci-zzzzzz'])
    for (const name of batchNames('ci', 50, randomBelow).slice(1)) expect(name).toMatch(/^ci-[0-9A-Za-z]{6}$/)
  })

  it('grow by as many letters as the name check counts with', () => {
    expect(batchNames('ci', 2, randomBelow)[1]).toHaveLength('ci'.length + batchSuffixLength)
  })
})
