import { describe, expect, it } from 'bun:test'
import { processorMsIn } from './processor-time.mjs'

describe('processorMsIn', () => {
  it('adds what the ended processes took as user and in the system', () => {
    expect(processorMsIn('0m0.010s 0m0.020s\n2m3.450s 0m1.050s\n')).toBe(124_500)
    expect(processorMsIn('0m0,010s 0m0,020s\n0m0,450s 0m0,050s\n')).toBe(500)
  })

  it('is undefined for a run that was ended before it was measured', () => {
    expect(processorMsIn('')).toBeUndefined()
  })
})
