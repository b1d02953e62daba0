import { describe, expect, it } from 'bun:test'
import { providerFor } from '@tollgate/providers'
import { createEventBus } from '../../lib/async/event-bus.ts'
import { createVault } from '../../lib/crypto.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import type { NewChannel } from '../../store/channels/channels.ts'
import { newChannel as sampleChannel } from '../../store/contract/samples.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { channelsInMemory } from '../test-support/channels-in-memory.ts'
import { ClosableChannelDirectory } from './channel-directory.ts'

const vault = createVault('a master key that only tests know, long enough')

function newChannel(fields: Partial<NewChannel> = {}, id = 1): NewChannel {
  return sampleChannel({
    keysSealed: vault.seal('key-one\nkey-two', sealContexts.channelKeys(id)),
    models: ['m'],
    ...fields,
  })
}

function setUp() {
  const time = { now: 1_000 }
  const channels = channelsInMemory()
  const reads = { count: 0, opened: 0, ids: [] as number[], summaries: [] as number[] }
  const errors: unknown[] = []
  const bus = createEventBus<ChangeEvents>((error) => {
    throw error
  })
  const directory = new ClosableChannelDirectory({
    channels: {
      listAll: () => {
        reads.count += 1
        return channels.listAll()
      },
      listSummaries: (only) => {
        reads.summaries.push(...(only?.ids ?? []))
        return channels.listSummaries(only)
      },
      listByIds: (ids) => {
        reads.count += 1
        reads.ids.push(...ids)
        return channels.listByIds(ids)
      },
    },
    vault: {
      open: (sealed, position) => {
        reads.opened += 1
        return vault.open(sealed, position)
      },
    },
    logger: { warn: (entry: unknown) => errors.push(entry), error: (entry: unknown) => errors.push(entry) },
    bus,
    monotonic: { now: () => time.now },
    providerFor,
  })
  return { time, channels, reads, errors, bus, directory }
}

describe('createChannelDirectory', () => {
  it('decrypts keys and parses every field once', async () => {
    const { channels, directory } = setUp()
    await channels.create(
      newChannel({
        baseUrl: 'https://upstream.example',
        modelMapping: '{"m":"n","n":"o"}',
        statusCodeMapping: '{"400":"500"}',
        paramOverride: '{"temperature":0}',
        setting: '{"proxy":"http://proxy.example"}',
      }),
    )
    await directory.reload()
    expect(directory.snapshot.channel(1)).toMatchObject({
      keys: ['key-one', 'key-two'],
      baseUrl: 'https://upstream.example',
      modelMapping: new Map([
        ['m', 'o'],
        ['n', 'o'],
      ]),
      statusCodeMapping: new Map([[400, 500]]),
      paramOverride: { fields: { temperature: 0 }, operations: [] },
      setting: { proxy: 'http://proxy.example' },
    })
  })

  it("uses the provider's own address when the operator gave none", async () => {
    const { channels, directory } = setUp()
    await channels.create(newChannel())
    await directory.reload()
    expect(directory.snapshot.channel(1)?.baseUrl).toBe('https://api.openai.com')
  })

  it('calls the base of an address that was copied with its endpoint, and complete addresses as they are', async () => {
    const { channels, directory } = setUp()
    const baseUrl = 'https://upstream.example/v1/chat/completions'
    await channels.create(newChannel({ baseUrl }))
    await channels.create(newChannel({ baseUrl, type: 8 }, 2))
    await directory.reload()
    expect(directory.snapshot.channel(1)?.baseUrl).toBe('https://upstream.example/v1')
    expect(directory.snapshot.channel(2)?.baseUrl).toBe(baseUrl)
  })

  it('replaces the snapshot after a change, and does not modify the old one', async () => {
    const { channels, directory, bus } = setUp()
    await channels.create(newChannel())
    await directory.reload()
    const before = directory.snapshot
    await channels.update(1, { status: 'auto-disabled' })
    bus.publish('channels-changed', { ids: [1] })
    await directory.settled()
    expect(directory.snapshot.tiers('default', 'm')).toBeUndefined()
    expect(before.tiers('default', 'm')).toHaveLength(1)
  })

  it('loads twice for a burst of changes, the second time after the last of them', async () => {
    const { channels, directory, bus, reads } = setUp()
    for (let id = 1; id <= 20; id += 1) {
      await channels.create(newChannel({}, id))
      bus.publish('channels-changed', { ids: [id] })
    }
    await directory.settled()
    expect(directory.snapshot.channels).toHaveLength(20)
    const before = reads.count
    for (let id = 1; id <= 20; id += 1) bus.publish('channels-changed', { ids: [id] })
    await directory.settled()
    expect(reads.count - before).toBe(2)
  })

  it('reloads only the channels that changed, and drops deleted ones', async () => {
    const { channels, directory, bus, reads } = setUp()
    for (let id = 1; id <= 3; id += 1) await channels.create(newChannel({ models: [`m-${id}`] }, id))
    await directory.reload()
    const [, untouched] = directory.snapshot.channels
    await channels.update(1, { models: ['n'] })
    await channels.delete(3)
    bus.publish('channels-changed', { ids: [1, 3] })
    await directory.settled()
    expect(reads.ids).toEqual([1, 3])
    expect(directory.snapshot.channels.map(({ id }) => id)).toEqual([1, 2])
    expect(directory.snapshot.channels[1]).toBe(untouched)
    expect(['m-1', 'm-2', 'm-3', 'n'].map(directory.snapshot.knowsModel)).toEqual([false, true, false, true])
  })

  it('does not reload long texts when only the summary of a channel changed', async () => {
    const { channels, directory, bus, reads } = setUp()
    for (let id = 1; id <= 2; id += 1) await channels.create(newChannel({}, id))
    await directory.reload()
    const models = directory.snapshot.channel(1)?.models
    const state = { index: 1, status: 'auto-disabled', reason: 'why', at: 1 } as const
    await channels.update(1, { priority: 7, groups: ['vip'], keyStates: [state] })
    await channels.update(2, { status: 'disabled' })
    bus.publish('channels-changed', { ids: [1, 2], inSummary: true })
    await directory.settled()
    expect([reads.ids, reads.summaries]).toEqual([[], [1, 2]])
    expect(directory.snapshot.tiers('vip', 'm')?.[0]).toMatchObject({ priority: 7, channels: { length: 1 } })
    expect(directory.snapshot.tiers('default', 'm')).toBeUndefined()
    expect(directory.snapshot.channel(1)?.disabledKeys.size).toBe(1)
    expect(directory.snapshot.channel(1)?.models).toBe(models as ReadonlySet<string>)
  })

  it('unseals keys only when they changed', async () => {
    const { channels, directory, reads } = setUp()
    await channels.create(newChannel())
    await directory.reload()
    await channels.update(1, { name: 'renamed' })
    await directory.reload()
    expect(reads.opened).toBe(1)
    await channels.update(1, { keysSealed: vault.seal('key-three', sealContexts.channelKeys(1)) })
    await directory.reload()
    expect(reads.opened).toBe(2)
    expect(directory.snapshot.channel(1)?.keys).toEqual(['key-three'])
  })

  it('records since when keys are used at an address', async () => {
    const { channels, directory, time } = setUp()
    await channels.create(newChannel())
    await directory.reload()
    time.now = 5_000
    await channels.update(1, { weight: 3 })
    await directory.reload()
    expect(directory.snapshot.channel(1)?.keysSince).toBe(1_000)
    await channels.update(1, { baseUrl: 'https://other.example' })
    await directory.reload()
    expect(directory.snapshot.channel(1)?.keysSince).toBe(5_000)
  })

  it('routes the other channels when one has no provider or unreadable keys', async () => {
    const { channels, directory, errors } = setUp()
    await channels.create(newChannel({ type: 999, models: ['mj_imagine'] }))
    await channels.create(newChannel({ keysSealed: 'sealed elsewhere' }))
    await channels.create(newChannel({}, 3))
    await directory.reload()
    expect(directory.snapshot.channels.map(({ id }) => id)).toEqual([3])
    expect(directory.snapshot.knowsModel('mj_imagine')).toBe(true)
    expect(errors).toHaveLength(1)
  })

  it('treats an unreadable field as not set', async () => {
    const { channels, directory, errors } = setUp()
    await channels.create(newChannel({ modelMapping: '{"a":', paramOverride: '[]' }))
    await directory.reload()
    expect(directory.snapshot.channel(1)).toMatchObject({ modelMapping: new Map(), paramOverride: null })
    expect(errors).toHaveLength(2)
  })

  it('routes by the last snapshot while the database is down', async () => {
    const { channels, directory, bus, errors } = setUp()
    await channels.create(newChannel())
    await directory.reload()
    channels.failing = true
    bus.publish('channels-changed', { ids: [1] })
    await directory.settled()
    expect(directory.snapshot.tiers('default', 'm')).toHaveLength(1)
    expect(errors).toHaveLength(1)
    await expect(directory.reload()).rejects.toThrow('the database is gone')
    directory.close()
  })

  it('ignores events after it is closed', async () => {
    const { directory, bus, reads } = setUp()
    directory.close()
    bus.publish('channels-changed', { ids: [1] })
    await directory.settled()
    expect(reads.count).toBe(0)
  })
})
