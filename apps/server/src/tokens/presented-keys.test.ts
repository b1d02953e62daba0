import { describe, expect, it } from 'bun:test'
import { rememberHashes } from './key-hashes.ts'

function counting(limit: number) {
  const hashed: string[] = []
  const hash = rememberHashes((key) => {
    hashed.push(key)
    return `hash of ${key}`
  }, limit)
  return { hash, hashed }
}

describe('rememberHashes', () => {
  it('hashes a key once and answers the same ever after', () => {
    const { hash, hashed } = counting(10)
    expect([hash('a'), hash('b'), hash('a')]).toEqual(['hash of a', 'hash of b', 'hash of a'])
    expect(hashed).toEqual(['a', 'b'])
  })

  it('keeps what is used while guesses come and go', () => {
    const { hash, hashed } = counting(10)
    for (let guess = 0; guess < 1000; guess += 1) {
      hash(`guess ${guess}`)
      hash('used')
    }
    expect(hashed.filter((key) => key === 'used')).toEqual(['used'])
    expect(hashed).toHaveLength(1001)
    hash('guess 0')
    expect(hashed).toHaveLength(1002)
  })
})
