import { describe, expect, it } from 'bun:test'
import { findFaults, record } from './landing.ts'

const one = { name: '0001-one', sqlite: 'a', postgres: 'a', version: '1.0.0' }
const three = { name: '0003-three', sqlite: 'c', postgres: 'c', version: '1.0.0' }
const two = { name: '0002-two', sqlite: 'b', postgres: 'b', version: '1.0.0' }

describe('findFaults', () => {
  it('agrees with what stands as it landed', () => {
    expect(findFaults([one, three], [one, three], [{ commit: 'abc', landed: [one] }])).toEqual([])
  })

  it('names a landed migration that is edited on either database, renamed or gone', () => {
    for (const edited of [
      { ...three, sqlite: 'x' },
      { ...three, postgres: 'x' },
    ])
      expect(findFaults([one, edited], [one, three], [])).toEqual([
        expect.stringContaining('0003-three has landed and is edited'),
      ])
    expect(findFaults([one, { ...three, name: '0004-three' }], [one, three], [])).toEqual([
      expect.stringContaining('0003-three has landed and is gone'),
      expect.stringContaining('0004-three is not recorded'),
    ])
  })

  it('refuses one that is recorded below another without a reason', () => {
    const landed = [one, three, two]
    expect(findFaults([one, two, three], landed, [])).toEqual([
      expect.stringContaining('0002-two stands below 0003-three'),
    ])
    const stated = record([one, two, three], [one, three], 'landed late')
    expect(stated.at(-1)).toEqual({ ...two, below: 'landed late' })
    expect(findFaults([one, two, three], stated, [])).toEqual([])
  })

  it('refuses two with one number', () => {
    const other = { name: '0003-other', sqlite: 'd', postgres: 'd', version: '1.0.0' }
    const landed = record([one, three, other], [one, three], undefined)
    expect(findFaults([one, three, other], landed, [])).toEqual([
      expect.stringContaining('0003-other stands below 0003-three'),
    ])
  })

  it('refuses a migration that is edited together with its record', () => {
    const edited = { ...three, sqlite: 'x' }
    const before = [{ commit: 'abc', landed: [one, three] }]
    expect(findFaults([one, edited], [one, edited], before)).toEqual([
      expect.stringContaining('0003-three was recorded otherwise by commit abc'),
    ])
  })

  it('knows a renamed migration by the name that it had', () => {
    const renamed = { ...three, name: '0004-three', formerly: [{ name: '0003-three', commit: 'abc' }] }
    expect(findFaults([one, renamed], [one, renamed], [{ commit: 'abc', landed: [one, three] }])).toEqual([])
  })
})
