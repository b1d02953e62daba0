import { afterAll, describe, expect, it } from 'bun:test'
import { systemClock } from '@tollgate/base'
import { closeTestStores, openTestStore } from '../accounts/users/test-support/test-store.ts'
import { createEventBus } from '../lib/async/event-bus.ts'
import { createVault } from '../lib/crypto.ts'
import { createLogger } from '../lib/logger.ts'
import { createAuditLog } from '../records/audit-log/audit-log.ts'
import { auditLogInMemory } from '../records/audit-log/test-support/audit-log-in-memory.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import { createChangeOptions, type RequestedChange } from './change-options.ts'
import { createSettings } from './create-settings.ts'
import { settingsInMemory } from './test-support/settings-in-memory.ts'

afterAll(closeTestStores)

const root = { userId: 1, username: 'root', role: 'root', address: '192.0.2.1' } as const
const vault = createVault('a master key for tests, long enough to be one')

async function written(...changes: readonly RequestedChange[]) {
  const settings = await settingsInMemory({ RetryTimes: '3', GroupRatio: '{"default":1,"vip":0.8}' })
  await settings.set('SMTPToken', 'hush')
  const { auditLog, auditEvents } = auditLogInMemory()
  await createChangeOptions({ settings, auditLog }).change(root, changes)
  return auditEvents.map(({ before, after }) => ({ before, after }))
}

describe('the audit log of options', () => {
  it('has the text before and after, and of a map the entries that differ', async () => {
    const auditEvents = await written(
      { key: 'RetryTimes', value: '1' },
      { key: 'GroupRatio', value: '{"default":1}' },
    )
    expect(auditEvents).toEqual([
      { before: { value: '3' }, after: { value: '1' } },
      { before: { default: 1, vip: 0.8 }, after: { default: 1 } },
    ])
  })

  it('records only that a secret was set, changed or removed', async () => {
    const set = { value: 'set' }
    const unset = { value: 'not set' }
    expect(await written({ key: 'EpayKey', value: 'k' })).toEqual([{ before: unset, after: set }])
    const changed = [{ before: set, after: { value: 'changed' } }]
    expect(await written({ key: 'SMTPToken', value: 'other' })).toEqual(changed)
    expect(await written({ key: 'SMTPToken', clear: true })).toEqual([{ before: set, after: unset }])
  })

  it('has no record of a change without effect', async () => {
    const same = [{ key: 'RetryTimes', value: '3' }, { key: 'SMTPToken' }, { key: 'SMTPToken', value: '' }]
    expect(await written(...same.slice(0, 2))).toEqual([])
    expect(await written(...same.slice(2))).toEqual([])
  })

  it('cuts texts that would fill its pages', async () => {
    const [act] = await written({ key: 'Notice', value: 'n'.repeat(100_000) })
    expect(JSON.stringify(act?.after).length).toBeLessThan(5000)
  })
})

it('an option whose record cannot be written is not changed, in the store or in memory', async () => {
  const store = await openTestStore()
  const bus = createEventBus<ChangeEvents>(() => undefined)
  const settings = await createSettings({
    options: store.options,
    vault,
    bus,
    logger: createLogger('silent'),
  })
  const auditLog = createAuditLog({ store, clock: systemClock })
  const options = createChangeOptions({ settings, auditLog })
  await options.change(root, [{ key: 'RetryTimes', value: '4' }])
  expect((await store.auditLog.page({}, { offset: 0, limit: 9 })).rows).toMatchObject([
    { action: 'option.update', targetName: 'RetryTimes', before: '{"value":"2"}', after: '{"value":"4"}' },
  ])
  const broken = { ...root, username: null as never }
  const failure = await options
    .change(broken, [{ key: 'RetryTimes', value: '5' }])
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  expect(settings.current.RetryTimes).toBe(4)
  expect(await store.options.listAll()).toEqual([{ key: 'RetryTimes', value: '4' }])
})
