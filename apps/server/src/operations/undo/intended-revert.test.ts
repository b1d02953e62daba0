import { describe, expect, it } from 'bun:test'
import { type AuditAction, chargingOptions } from '@tollgate/api'
import { root } from '../../channels/test-support/channel-world.ts'
import { createIntendedRevert } from './intended-revert.ts'

type Dependencies = Parameters<typeof createIntendedRevert>[0]

/** Says what a revert of a recorded act would change, while the options are as the act left them. */
function intended(action: AuditAction, name: string, before: object, after: object, current: object) {
  const record = {
    id: 7,
    action,
    targetId: 0,
    targetName: name,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
  }
  const auditLog = {
    page: async () => ({ rows: [record], total: 1 }),
    listReverting: async () => new Map(),
    isOver: async () => false,
  }
  const deps = { store: { auditLog }, settings: { current } } as unknown as Dependencies
  return createIntendedRevert(deps)(root, record.id)
}

describe('the change that a revert would be', () => {
  it.each([...chargingOptions])('is one of %s, whichever act changed it', async (key) => {
    const [before, after] = [{ house: 1 }, { house: 2 }]
    const current = { [key]: { house: 2, other: 5 } }
    const options = [{ key, value: JSON.stringify({ house: 1, other: 5 }) }]
    for (const action of ['option.update', 'option.reset-model-ratio'] as const)
      expect(await intended(action, key, before, after, current)).toEqual({ ids: [], options })
    const joint = [{ [key]: before }, { [key]: after }] as const
    expect(await intended('model.price', 'house', ...joint, current)).toEqual({ ids: [], options })
  })

  it('is one of a group that is changed back, comes back or goes', async () => {
    const of = async (...act: Parameters<typeof intended>) => (await intended(...act)).changed_group
    const ratio = [{ ratio: 1 }, { ratio: 2 }] as const
    expect(await of('group.update', 'vip', ...ratio, {})).toEqual({ name: 'vip', settings: { ratio: 1 } })
    expect(await of('group.remove', 'vip', { ratio: 1 }, {}, {})).toEqual({
      name: 'vip',
      settings: { ratio: 1 },
    })
    expect(await of('group.create', 'vip', {}, { ratio: 2 }, {})).toEqual({ name: 'vip', settings: null })
  })

  it('is none where nobody is charged otherwise, and refused where the revert is', async () => {
    const notice = [{ value: 'old' }, { value: 'new' }] as const
    expect(await intended('option.update', 'Notice', ...notice, { Notice: 'new' })).toEqual({ ids: [] })
    const since = intended('option.update', 'Notice', ...notice, { Notice: 'newer' })
    await expect(since).rejects.toMatchObject({ code: 'audit_changed_since' })
    const gone = intended('channel.delete', 'main', {}, {}, {})
    await expect(gone).rejects.toMatchObject({ code: 'audit_not_revertible' })
  })
})
