import { describe, expect, it } from 'bun:test'
import type { UpstreamErrorInfo } from '@tollgate/formats'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { channelForm, channelWorld, root } from '../test-support/channel-world.ts'

const probePassed = { code: 'probe_passed', params: { model: 'gpt-4o' } } as const

const refused: UpstreamErrorInfo = {
  kind: 'unauthorized',
  status: 401,
  message: 'Incorrect API key provided: sk-first-key-0123456789',
  type: 'invalid_request_error',
  code: 'invalid_api_key',
  param: null,
}

async function setUp(key = 'sk-first-key-0123456789', options = {}) {
  const world = channelWorld({ AutomaticDisableChannelEnabled: true, ...options })
  await world.manage.create(channelForm({ key }), root)
  const fail = async (keyIndex = 0, error: UpstreamErrorInfo = refused, ms = 0) => {
    world.control.considerDisabling({ channelId: 1, keyIndex, model: 'gpt-4o', ms, error })
    await world.control.settled()
  }
  const stored = async () => {
    const channel = await world.channels.find(1)
    if (channel === undefined) throw new Error('the channel is gone')
    return channel
  }
  const tiers = () => world.directory.snapshot.tiers('default', 'gpt-4o')
  return { ...world, fail, stored, tiers }
}

describe('automatic disabling', () => {
  it('takes the channel out of routing at once, with reason and time, and without the key in the reason', async () => {
    const { fail, stored, tiers, time } = await setUp()
    await fail()
    expect(tiers()).toBeUndefined()
    const channel = await stored()
    expect(channel.status).toBe('auto-disabled')
    expect(channel.statusReason?.at).toBe(time.now / 1000)
    expect(channel.statusReason?.reason).toContain('status 401')
    expect(JSON.stringify(channel.statusReason)).not.toContain('sk-first-key')
  })

  it('leaves a key alone whose place another node gave to another key', async () => {
    const { fail, stored, channels, vault, directory } = await setUp(
      'sk-first-key-000001\nsk-second-key-000002',
    )
    const keysSealed = vault.seal('sk-second-key-000002\nsk-third-key-000003', sealContexts.channelKeys(1))
    await channels.update(1, { keysSealed })
    await fail(1)
    expect((await stored()).keyStates).toEqual([])
    await directory.reload()
    await fail(1)
    expect((await stored()).keyStates).toMatchObject([{ index: 1, status: 'auto-disabled' }])
  })

  it('records what it decided in the audit log, with the reason', async () => {
    const { fail, control, auditEvents } = await setUp()
    const before = auditEvents.length
    await fail()
    await fail()
    await control.enable(1, 0, probePassed)
    expect(
      auditEvents.slice(before).map(({ actorName, action, targetId }) => [actorName, action, targetId]),
    ).toEqual([
      ['tollgate', 'channel.auto-disable', 1],
      ['tollgate', 'channel.auto-enable', 1],
    ])
    expect(JSON.parse(auditEvents[before]?.after ?? '')).toMatchObject({
      status: 'auto-disabled',
      reason: expect.stringContaining('status 401'),
    })
    expect(JSON.stringify(auditEvents)).not.toContain('sk-first-key')
  })

  it('does nothing unless the option says so', async () => {
    const { fail, tiers } = await setUp(undefined, { AutomaticDisableChannelEnabled: false })
    await fail()
    expect(tiers()).toHaveLength(1)
  })

  it('does not disable a channel that its operator exempted', async () => {
    const { fail, tiers, manage } = await setUp()
    await manage.update({ id: 1, auto_ban: 0 }, root)
    await fail()
    expect(tiers()).toHaveLength(1)
  })

  it("does not disable a channel for a caller's error", async () => {
    const { fail, tiers } = await setUp()
    await fail(0, { ...refused, kind: 'bad_request', status: 400, code: '', message: 'bad' })
    expect(tiers()).toHaveLength(1)
  })

  it('follows a change of the phrases', async () => {
    const { fail, tiers, values } = await setUp()
    const odd: UpstreamErrorInfo = {
      ...refused,
      kind: 'upstream_bug',
      status: 500,
      code: '',
      message: 'Out of Tokens',
    }
    await fail(0, odd)
    expect(tiers()).toHaveLength(1)
    values.current = { ...values.current, AutomaticDisableKeywords: ['out of tokens'] }
    await fail(0, odd)
    expect(tiers()).toBeUndefined()
  })

  it('decides once for a burst of refusals', async () => {
    const { control, decisions, stored } = await setUp()
    for (let call = 0; call < 100; call += 1) {
      control.considerDisabling({ channelId: 1, keyIndex: 0, model: 'gpt-4o', ms: 0, error: refused })
    }
    await control.settled()
    expect((await stored()).status).toBe('auto-disabled')
    expect(decisions.latest()).toHaveLength(1)
  })

  it('never overwrites what a person decides meanwhile', async () => {
    const { control, manage, stored } = await setUp()
    const isManual = manage.update({ id: 1, status: 2 }, root)
    control.considerDisabling({ channelId: 1, keyIndex: 0, model: 'gpt-4o', ms: 0, error: refused })
    await isManual
    await control.settled()
    expect((await stored()).status).toBe('disabled')
  })

  it('does not judge a new key by the failures of the old one', async () => {
    const { fail, manage, tiers, time } = await setUp()
    time.now += 1000
    await manage.update({ id: 1, key: 'sk-fresh-key-0123456789' }, root)
    time.now += 1000
    await fail(0, refused, 1500)
    expect(tiers()).toHaveLength(1)
    await fail(0, refused, 500)
    expect(tiers()).toBeUndefined()
  })

  it('judges new keys by the monotonic clock: a step of the wall clock does not excuse them', async () => {
    const { fail, tiers, time } = await setUp()
    time.now += 1000
    time.wallOffset -= 3_600_000
    await fail(0, refused, 500)
    expect(tiers()).toBeUndefined()
  })

  it('survives a lost database, and disables at the next failure', async () => {
    const { channels, fail, tiers } = await setUp()
    channels.failing = true
    await fail()
    expect(tiers()).toHaveLength(1)
    channels.failing = false
    await fail()
    expect(tiers()).toBeUndefined()
  })
})

describe('a channel with several keys', () => {
  it('loses one key after the other, and is disabled when none is left', async () => {
    const { fail, stored, directory } = await setUp('key-a\nkey-b\nkey-c')
    await fail(1)
    expect((await stored()).status).toBe('enabled')
    expect([...(directory.snapshot.channel(1)?.disabledKeys.keys() ?? [])]).toEqual([1])
    await fail(1)
    expect((await stored()).keyStates).toHaveLength(1)
    await fail(0)
    await fail(2)
    const channel = await stored()
    expect(channel.status).toBe('auto-disabled')
    expect(channel.keyStates.map(({ index }) => index)).toEqual([1, 0, 2])
    expect(channel.statusReason?.reason).toStartWith('no key is left')
  })

  it('loses every refused key when they fail at the same time', async () => {
    const { control, stored } = await setUp('key-a\nkey-b\nkey-c')
    for (const keyIndex of [0, 1, 2]) {
      control.considerDisabling({ channelId: 1, keyIndex, model: 'gpt-4o', ms: 0, error: refused })
    }
    await control.settled()
    expect(await stored()).toMatchObject({ status: 'auto-disabled', keyStates: { length: 3 } })
  })

  it('comes back with the one key that passed', async () => {
    const { fail, control, directory, tiers } = await setUp('key-a\nkey-b')
    await fail(0)
    await fail(1)
    await control.enable(1, 1, probePassed)
    expect(tiers()).toHaveLength(1)
    expect([...(directory.snapshot.channel(1)?.disabledKeys.keys() ?? [])]).toEqual([0])
  })
})

describe('the event of a changed status', () => {
  it('is published for each change of a channel, with its reason as a code, and not for the loss of one key of several', async () => {
    const { bus, fail, control } = await setUp('sk-first-key-0123456789\nkey-b')
    const events: unknown[] = []
    bus.subscribe('channel-status-changed', (event) => events.push(event))
    await fail(0)
    expect(events).toEqual([])
    await fail(1)
    await control.enable(1, 0, probePassed)
    const detail = 'Incorrect API key provided: [key]'
    expect(events).toEqual([
      {
        id: 1,
        name: 'main',
        status: 'auto-disabled',
        reason: `no key is left; the last: the key was refused (status 401): ${detail}`,
        code: 'key_refused',
        params: { status: 401, detail, last_of_keys: 2 },
      },
      { id: 1, name: 'main', status: 'enabled', reason: 'a probe passed (model gpt-4o)', ...probePassed },
    ])
  })
})

describe('enabling again', () => {
  it('records the reason', async () => {
    const { fail, control, stored, tiers } = await setUp()
    await fail()
    await control.enable(1, 0, probePassed)
    expect(await stored()).toMatchObject({
      status: 'enabled',
      statusReason: { reason: 'a probe passed (model gpt-4o)', code: 'probe_passed' },
    })
    expect(tiers()).toHaveLength(1)
  })

  it('leaves a channel alone that a person disabled', async () => {
    const { control, manage, stored } = await setUp()
    await manage.update({ id: 1, status: 2 }, root)
    await control.enable(1, 0, probePassed)
    expect((await stored()).status).toBe('disabled')
  })

  it('leaves a deleted channel alone', async () => {
    const { control, manage, tiers } = await setUp()
    await manage.delete(1, root)
    await control.enable(1, 0, probePassed)
    expect(tiers()).toBeUndefined()
  })
})
