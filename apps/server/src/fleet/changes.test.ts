import { describe, expect, it } from 'bun:test'
import { settingKeys } from '@tollgate/api/settings'
import { until } from '../../../../tests/support/until.ts'
import { silentLogger } from '../billing/test-support/charges.ts'
import { createEventBus } from '../lib/async/event-bus.ts'
import type { ChangeEvents } from '../store/change-events.ts'
import type { AnnouncedChange } from '../store/fleet/changes.ts'
import { createChangeReceiver } from './changes.ts'

const hour = 3_600_000

function setUp(stored: readonly AnnouncedChange[] = []) {
  const heard: string[] = []
  const requested: number[] = []
  const bus = createEventBus<ChangeEvents>(() => undefined)
  bus.subscribe('user-changed', ({ id }) => heard.push(`user ${id}`))
  bus.subscribe('channels-changed', ({ ids }) => heard.push(`channels ${ids}`))
  bus.subscribe('options-changed', ({ keys }) => heard.push(`options ${keys}`))
  bus.subscribe('everything-changed', () => heard.push('everything'))
  let failures = 1
  const reloads: (readonly string[])[] = []
  const receiver = createChangeReceiver({
    changes: {
      async listSince(atMs) {
        requested.push(atMs)
        return [...stored]
      },
    },
    bus,
    settings: {
      async reload(keys) {
        reloads.push(keys)
        if (failures-- > 0) throw new Error('the database is away')
      },
    },
    accountChanged: (kind, id) => heard.push(`account ${kind} ${id}`),
    author: 'tollgate a',
    logger: silentLogger,
  })
  const receive = (kind: string, key: string, author = 'tollgate b') =>
    receiver.received(JSON.stringify({ kind, key, author }))
  return { receiver, receive, heard, requested, reloads }
}

describe('createChangeReceiver', () => {
  it('publishes what others changed, passes over its own, and over kinds of a later version', () => {
    const { receive, heard } = setUp()
    receive('user', '7')
    receive('user', '8', 'tollgate a')
    receive('unheard-of', '9')
    receive('channel', '3')
    receive('account', 'token 12')
    expect(heard).toEqual(['user 7', 'channels 3', 'account token 12'])
  })

  it('reads options again until they could be read, and publishes them then', async () => {
    const { receive, heard, reloads } = setUp()
    receive('option', 'RetryTimes')
    await until(() => (heard.length > 0 ? true : undefined))
    expect(heard).toEqual(['options RetryTimes'])
    expect(reloads).toEqual([['RetryTimes'], ['RetryTimes']])
  })

  it('catches up from a minute before it heard last', async () => {
    const { receiver, heard, requested } = setUp([{ kind: 'user', key: '7', author: 'psql' }])
    await receiver.catchUp(10 * hour, 10 * hour + 1000)
    expect(requested).toEqual([10 * hour - 60_000])
    expect(heard).toEqual(['user 7'])
  })

  it('has everything read anew when changes are deleted by now, or too many', async () => {
    const late = setUp()
    await late.receiver.catchUp(hour, 3 * hour)
    expect(late.heard).toEqual(['everything'])
    expect(late.requested).toEqual([])
    expect(late.reloads).toEqual([settingKeys])
    late.receiver.close()

    const many = setUp(
      Array.from({ length: 10_001 }, (_, id) => ({ kind: 'user', key: `${id}`, author: '' })),
    )
    await many.receiver.catchUp(hour, hour)
    expect(many.heard).toEqual(['everything'])
    many.receiver.close()
  })
})
