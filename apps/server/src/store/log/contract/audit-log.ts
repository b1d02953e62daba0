import { describe, expect, it } from 'bun:test'
import type { Store } from '../../store.ts'

/** Checks filters and pages of the audit log, and that a record is taken back once. */
export function auditLogContract(store: () => Store): void {
  describe('AuditLogRepository', () => {
    const record = (change: object = {}) => ({
      createdAt: 10,
      actorId: 1,
      actorName: 'root',
      actorRole: 'root' as const,
      address: '192.0.2.1',
      action: 'user.update' as const,
      targetKind: 'user' as const,
      targetId: 5,
      targetName: 'ann',
      before: '{"group":"default"}',
      after: '{"group":"vip"}',
      ...change,
    })

    it('returns the records, newest first, by any filter, with the total', async () => {
      const { auditLog } = store()
      await auditLog.append([])
      await auditLog.append([record(), record({ createdAt: 11, actorId: 2, targetId: 6 })])
      await auditLog.append([record({ createdAt: 12, action: 'option.update', targetKind: 'option' })])
      const times = async (filter: object, page = { offset: 0, limit: 10 }) => {
        const { rows, total } = await auditLog.page(filter, page)
        return [total, rows.map(({ createdAt }) => createdAt)]
      }
      expect((await auditLog.page({ actorId: 2 }, { offset: 0, limit: 1 })).rows).toEqual([
        { id: expect.any(Number), reverts: 0, ...record({ createdAt: 11, actorId: 2, targetId: 6 }) },
      ])
      const [newest] = (await auditLog.page({}, { offset: 0, limit: 1 })).rows
      expect(await times({ id: newest?.id ?? 0 })).toEqual([1, [12]])
      expect(await times({ id: newest?.id ?? 0, exceptTargetKinds: ['option'] })).toEqual([0, []])
      expect(await times({})).toEqual([3, [12, 11, 10]])
      expect(await times({}, { offset: 1, limit: 1 })).toEqual([3, [11]])
      expect(await times({ action: 'option.update' })).toEqual([1, [12]])
      expect(await times({ targetKind: 'user', targetId: 5 })).toEqual([1, [10]])
      expect(await times({ exceptTargetKinds: ['option'] })).toEqual([2, [11, 10]])
      expect(await times({ from: 11, to: 11 })).toEqual([1, [11]])
    })

    it('has one record at most that takes another back, of those that come at once', async () => {
      const { auditLog } = store()
      await auditLog.append([record()])
      const [first] = (await auditLog.page({}, { offset: 0, limit: 1 })).rows
      if (first === undefined) throw new Error('the record is missing')
      expect(await auditLog.isOver(first, [])).toBe(false)
      const undo = record({ action: 'user.take-back-many', targetId: 9, reverts: first.id })
      const tries = await Promise.all([1, 2, 3].map(() => auditLog.append([undo, record({ targetId: 8 })])))
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await auditLog.isOver(first, [])).toBe(true)
      const reverting = await auditLog.listReverting([first.id, first.id + 1])
      expect([...reverting.keys()]).toEqual([first.id])
    })

    it('finds an act of some kinds that followed on the same target, by its id or its name', async () => {
      const { auditLog } = store()
      const named = { targetKind: 'group' as const, targetId: 0, targetName: 'vip' }
      await auditLog.append([record(), record({ ...named, action: 'group.create' })])
      const [group, user] = (await auditLog.page({}, { offset: 0, limit: 2 })).rows
      if (user === undefined || group === undefined) throw new Error('the records are missing')
      await auditLog.append([
        record({ targetId: 6, action: 'user.promote' }),
        record({ ...named, targetName: 'other', action: 'group.remove' }),
      ])
      expect(await auditLog.isOver(user, ['user.promote'])).toBe(false)
      expect(await auditLog.isOver(group, ['group.remove'])).toBe(false)
      await auditLog.append([
        record({ action: 'user.promote' }),
        record({ ...named, action: 'group.remove' }),
      ])
      expect(await auditLog.isOver(user, ['user.promote'])).toBe(true)
      expect(await auditLog.isOver(user, ['user.demote'])).toBe(false)
      expect(await auditLog.isOver(group, ['group.remove', 'group.create'])).toBe(true)
    })
  })
}
