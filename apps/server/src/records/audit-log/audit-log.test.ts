import { describe, expect, it } from 'bun:test'
import type { NewAuditRecord } from '../../store/log/audit-log.ts'
import { createAuditLog } from './audit-log.ts'

const root = { userId: 1, username: 'root', role: 'root', address: '192.0.2.1' } as const

async function recorded(act: Parameters<ReturnType<typeof createAuditLog>['record']>[1]) {
  const written: NewAuditRecord[] = []
  const auditLog = {
    append: async (records: readonly NewAuditRecord[]) => written.push(...records) > 0,
    isOver: async () => false,
  }
  await createAuditLog({ store: { auditLog }, clock: { now: () => 5_000 } }).record(root, act)
  return written
}

describe('audit log', () => {
  it('records actor, action, target and address, and only the changed fields', async () => {
    const [record] = await recorded({
      action: 'user.update',
      target: { kind: 'user', id: 7, name: 'ann' },
      before: { group: 'default', quota: 5, tags: ['a'], gone: 1 },
      after: { group: 'vip', quota: 5, tags: ['a'], fresh: 2 },
    })
    expect(record).toEqual({
      createdAt: 5,
      actorId: 1,
      actorName: 'root',
      actorRole: 'root',
      address: '192.0.2.1',
      action: 'user.update',
      targetKind: 'user',
      targetId: 7,
      targetName: 'ann',
      before: '{"group":"default","gone":1}',
      after: '{"group":"vip","fresh":2}',
      reverts: 0,
    })
  })

  it('records all fields of what was created or removed', async () => {
    const [made] = await recorded({
      action: 'channel.create',
      target: { kind: 'channel', id: 3, name: 'one' },
      after: { type: 1 },
    })
    expect(made).toMatchObject({ before: '', after: '{"type":1}' })
  })
})
