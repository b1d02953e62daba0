import { describe, expect, it } from 'bun:test'
import { findJsonFault, prettyJson } from './json-text.ts'

describe('JSON texts', () => {
  it('are at fault on a line, and an empty one is not', () => {
    expect(findJsonFault('')).toBeUndefined()
    expect(findJsonFault('{"a": 1}')).toBeUndefined()
    expect(findJsonFault('{')).toMatchObject({ line: 1, problem: expect.any(String) })
    expect(findJsonFault('{\n  "a": 1,\n')?.line).toBeGreaterThan(1)
  })

  it('are put in order only when they are JSON', () => {
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(prettyJson('{')).toBe('{')
  })
})
