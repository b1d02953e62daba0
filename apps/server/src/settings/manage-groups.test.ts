import { describe, expect, it } from 'bun:test'
import { type AdminPart, adminPartNames } from '@tollgate/api'
import { Refusal } from '../lib/refusal.ts'
import { auditLogInMemory } from '../records/audit-log/test-support/audit-log-in-memory.ts'
import type { AuditRecord } from '../store/log/audit-log.ts'
import { createChangeOptions } from './change-options.ts'
import { createManageGroups } from './manage-groups.ts'
import { settingsInMemory } from './test-support/settings-in-memory.ts'

async function groupsFixture(stored: Record<string, string> = {}) {
  const settings = await settingsInMemory(stored)
  const { auditLog, auditEvents } = auditLogInMemory()
  const groups = createManageGroups({
    settings,
    changeOptions: createChangeOptions({ settings, auditLog }),
    store: {
      groupMembers: {
        countAll: async () => new Map([['ghosts', { users: 2, tokens: 0, channels: 0 }]]),
      } as never,
    },
  })
  const proofs: string[] = []
  const person = { userId: 1, username: 'root', address: '', requireProof: () => void proofs.push('asked') }
  const lastRecord = () => {
    const { action, target, before = {}, after = {} } = auditEvents.at(-1) ?? {}
    const texts = { before: JSON.stringify(before), after: JSON.stringify(after) }
    return { action, targetName: target?.name, ...texts } as AuditRecord
  }
  return {
    settings,
    groups,
    auditEvents,
    lastRecord,
    proofs: () => proofs.length,
    root: { ...person, role: 'root' } as const,
    admin: (...parts: readonly AdminPart[]) => ({ ...person, userId: 2, role: 'admin', parts }) as const,
  }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  )

describe('a group', () => {
  it('is changed in all of its options with one record, and taken back with one', async () => {
    const { groups, root, settings, auditEvents, lastRecord, proofs } = await groupsFixture()
    const fields = { ratio: 0.8, is_open: false, user_limits: { requests: 0, successes: 50 }, concurrency: 4 }
    await groups.update(root, 'vip', { fields }, {})
    const { GroupRatio, UserUsableGroups, ModelRequestRateLimitGroup, GroupRateLimits } = settings.current
    expect([GroupRatio['vip'], Object.keys(UserUsableGroups)]).toEqual([0.8, ['default']])
    expect(ModelRequestRateLimitGroup['vip']).toEqual([0, 50])
    expect(GroupRateLimits['vip']).toEqual({ requests_per_minute: 0, tokens_per_minute: 0, concurrency: 4 })
    expect(auditEvents.map(({ action }) => action)).toEqual(['group.update'])
    await groups.revert(root, lastRecord(), {})
    expect(settings.current.UserUsableGroups['vip']).toBe('vip分组')
    expect(settings.current.GroupRatio['vip']).toBe(1)
    expect(settings.current.GroupRateLimits).toEqual({})
    expect(proofs()).toBe(0)
  })

  it('loses no change of somebody else: the same field is refused, another one stays', async () => {
    const { groups, root, settings, lastRecord } = await groupsFixture()
    const base = { ratio: 1, concurrency: 0 }
    await groups.update(root, 'vip', { fields: { ratio: 0.9 }, base }, {})
    const first = lastRecord()
    const edit = { fields: { ratio: 0.7, concurrency: 3 }, base }
    expect(await codeOf(groups.update(root, 'vip', edit, {}))).toBe('edit_conflict')
    await groups.update(root, 'vip', { fields: { concurrency: 3 }, base }, {})
    expect(settings.current.GroupRatio['vip']).toBe(0.9)
    await groups.update(root, 'vip', { fields: { ratio: 0.5 } }, {})
    expect(await codeOf(groups.revert(root, first, {}))).toBe('audit_changed_since')
  })

  it('is created, renamed and removed with its settings, each of them taken back', async () => {
    const { groups, root, settings, lastRecord } = await groupsFixture()
    const fields = { ratio: 2, is_open: true, description: 'Night', tokens_per_minute: 9, top_up_ratio: 0.5 }
    await groups.create(root, 'night', fields, {})
    expect(await codeOf(groups.create(root, 'night', {}, {}))).toBe('group_name_taken')
    const ofNight = () => {
      const { GroupRatio, UserUsableGroups, GroupRateLimits, TopupGroupRatio } = settings.current
      return [GroupRatio, UserUsableGroups, GroupRateLimits, TopupGroupRatio].map((map) => map['night'])
    }
    const created = ofNight()
    expect(created).toEqual([
      2,
      'Night',
      { requests_per_minute: 0, tokens_per_minute: 9, concurrency: 0 },
      0.5,
    ])
    await groups.remove(root, 'night', {})
    expect(ofNight()).toEqual([undefined, undefined, undefined, undefined])
    await groups.revert(root, lastRecord(), {})
    expect(ofNight()).toEqual(created)
    expect(await codeOf(groups.rename(root, 'night', 'vip', {}))).toBe('group_name_taken')
    expect(await codeOf(groups.remove(root, 'day', {}))).toBe('group_unknown')
    expect(await codeOf(groups.remove(root, 'default', {}))).toBe('option_entry_required')
  })

  it('asks for a proof where it changes what top-ups cost, whichever call does', async () => {
    const { groups, root, proofs } = await groupsFixture()
    await groups.update(root, 'vip', { fields: { top_up_ratio: 0.5 } }, {})
    await groups.remove(root, 'vip', {})
    expect(proofs()).toBe(2)
  })

  it('is written by those who may write its options, field by field', async () => {
    const { groups, admin, settings } = await groupsFixture()
    const plain = admin('prices', 'settings')
    expect(groups.writableFields(plain)).toEqual([
      'user_limits',
      'requests_per_minute',
      'tokens_per_minute',
      'concurrency',
    ])
    expect(await codeOf(groups.update(plain, 'vip', { fields: { concurrency: 2 } }, {}))).toBe('accepted')
    const both = { fields: { concurrency: 5, ratio: 0.1 } }
    expect(await codeOf(groups.update(plain, 'vip', both, {}))).toBe('option_moves_money')
    expect(settings.current.GroupRateLimits['vip']?.concurrency).toBe(2)
    const [, , , ghosts] = await groups.list(admin('prices'))
    expect(ghosts).toEqual({
      ...{ name: 'ghosts', has_ratio: false, users: 2, tokens: 0, channels: 0 },
      ...{ ratio: 1, is_open: false, description: '' },
    })
    expect(groups.writableFields({ role: 'admin', parts: adminPartNames })).not.toContain('top_up_ratio')
  })
})
