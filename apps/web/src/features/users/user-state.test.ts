import { describe, expect, it } from 'bun:test'
import { canEnable, mayEdit, mayManage, mayPromote, stateOf } from './user-state.ts'

const person = (id: number, role: number, DeletedAt: string | null = null) => ({ id, role, DeletedAt })
const root = person(1, 100)
const admin = person(2, 10)
const common = person(3, 1)

describe('the state of a user', () => {
  it('is deleted whatever the status says', () => {
    expect(stateOf({ status: 1, DeletedAt: '2026-01-01T00:00:00Z' })).toBe('deleted')
  })

  it('is unknown for a status without a meaning', () => {
    expect(stateOf({ status: 3, DeletedAt: null })).toBe('unknown')
    expect(canEnable({ status: 3 })).toBe(false)
    expect(canEnable({ status: 2 })).toBe(true)
  })
})

describe('what may be done to a user', () => {
  it('is nothing to one’s own rank or a higher one', () => {
    expect(mayManage(admin, common)).toBe(true)
    expect(mayManage(admin, person(4, 10))).toBe(false)
    expect(mayManage(admin, root)).toBe(false)
    expect(mayManage(root, root)).toBe(false)
  })

  it('is nothing to a deleted user', () => {
    expect(mayManage(root, person(3, 1, '2026-01-01T00:00:00Z'))).toBe(false)
  })

  it('lets root alone promote, and edit itself', () => {
    expect(mayPromote(admin, common)).toBe(false)
    expect(mayPromote(root, common)).toBe(true)
    expect(mayEdit(root, root)).toBe(true)
    expect(mayEdit(admin, admin)).toBe(false)
  })
})
