import { describe, expect, it } from 'bun:test'
import { type Role, userActions } from '@tollgate/api'
import { mayEdit, mayRead, refusalOf } from './ranks.ts'

const actors: readonly Role[] = ['common', 'admin', 'root']
const self = 1
const other = 2

/** Returns the outcomes of each actor for a target of each role. */
function table<Result>(judge: (actor: Role, target: Role, id: number) => Result) {
  return actors.map((actor) => [
    ...actors.map((target) => judge(actor, target, other)),
    judge(actor, actor, self),
  ])
}

describe('ranks', () => {
  it('let a higher rank, the user and root read a user', () => {
    expect(table((role, target, id) => mayRead({ userId: self, role }, { id, role: target }))).toEqual([
      [false, false, false, true],
      [true, false, false, true],
      [true, true, true, true],
    ])
  })

  it('let a higher rank edit a user, and root edit itself', () => {
    expect(table((role, target, id) => mayEdit({ userId: self, role }, { id, role: target }))).toEqual([
      [false, false, false, false],
      [true, false, false, false],
      [true, true, false, true],
    ])
  })

  it('let no user act on an equal or higher rank, and none on root', () => {
    for (const action of userActions) {
      const refused = table((role, target, id) =>
        refusalOf({ userId: self, role }, { id, role: target }, action),
      )
      const above = 'user_rank_too_high'
      expect(refused[0]).toEqual([above, above, above, above])
      expect(refused[1]?.slice(1)).toEqual([above, above, above])
      expect(refused[2]?.slice(2)).toEqual(['user_is_root', 'user_is_root'])
    }
  })

  it('leave promotion and demotion to root, and refuse the same step twice', () => {
    const judge = (role: Role, target: Role) =>
      userActions.map((action) => refusalOf({ userId: self, role }, { id: other, role: target }, action))
    // promote, demote, disable, enable, delete
    const fine = undefined
    expect(judge('admin', 'common')).toEqual([
      'user_promote_needs_root',
      'user_already_common',
      fine,
      fine,
      fine,
    ])
    expect(judge('root', 'common')).toEqual([fine, 'user_already_common', fine, fine, fine])
    expect(judge('root', 'admin')).toEqual(['user_already_admin', fine, fine, fine, fine])
  })
})
