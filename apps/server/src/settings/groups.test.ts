import { describe, expect, it } from 'bun:test'
import { groupRatio, isUsableGroup, usableGroups } from './groups.ts'

const values = { UserUsableGroups: { vip: 'for friends', trial: 'slow' } }

describe('usable groups', () => {
  it('are those open to everyone and the own group', () => {
    expect([...usableGroups(values, 'staff', 'yours', 'en')]).toEqual([
      ['vip', 'for friends'],
      ['trial', 'slow'],
      ['staff', 'yours'],
    ])
  })

  it("have the operator's description of an own group that is open to everyone", () => {
    expect(usableGroups(values, 'vip', 'yours', 'en').get('vip')).toBe('for friends')
  })

  it('give a visitor the default group, and never one without a name', () => {
    expect([...usableGroups(values, undefined, 'yours', 'en').keys()]).toEqual(['vip', 'trial', 'default'])
    expect([...usableGroups(values, '', 'yours', 'en').keys()]).toEqual(['vip', 'trial', 'default'])
  })

  it("contain no properties of JavaScript's objects", () => {
    expect(isUsableGroup(values, 'staff', 'constructor')).toBe(false)
    expect(isUsableGroup(values, 'staff', 'staff')).toBe(true)
  })
})

it('a group without a ratio is charged at 1', () => {
  expect(groupRatio({ GroupRatio: { vip: 0.8, free: 0 } }, 'vip')).toBe(0.8)
  expect(groupRatio({ GroupRatio: { free: 0 } }, 'free')).toBe(0)
  expect(groupRatio({ GroupRatio: {} }, 'gone')).toBe(1)
})
