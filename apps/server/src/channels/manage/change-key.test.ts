import { describe, expect, it } from 'bun:test'
import type { ChannelKeyBody } from '@tollgate/api'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { admin, channelForm, channelWorld } from '../test-support/channel-world.ts'

const keys = ['sk-first-key-0000001', 'sk-second-key-000002', 'sk-third-key-0000003'] as const

async function setUp() {
  const world = channelWorld()
  const created = await world.manage.create(channelForm({ key: keys.join('\n') }), admin)
  const hints = created.health.keys.map(({ hint }) => hint)
  const change = (index: number, act: ChannelKeyBody['act'], hint = hints[index] ?? '') =>
    world.manage.changeKey(1, { index, hint, act }, admin)
  const inService = () => {
    const { keys: all = [], disabledKeys } = world.directory.snapshot.channel(1) ?? {}
    return all.filter((_, index) => !disabledKeys?.has(index))
  }
  return { ...world, change, inService }
}

describe('one key of a channel', () => {
  it('stays out of service until a person puts it back', async () => {
    const { change, inService, manage, channels, auditEvents, time } = await setUp()
    const { health } = await change(1, 'disable')
    expect(health.keys[1]).toMatchObject({ status: 'disabled', disabled_at: time.now / 1000, retry_at: 0 })
    expect(inService()).toEqual([keys[0], keys[2]])
    await channels.update(1, { status: 'auto-disabled' })
    await manage.update({ id: 1, status: 1 }, admin)
    await manage.update({ id: 1, status: 2 }, admin)
    await manage.bulk.update({ ids: [1], status: 1 }, admin)
    expect(inService()).toEqual([keys[0], keys[2]])
    await change(1, 'enable')
    expect(inService()).toEqual([...keys])
    expect(JSON.stringify(auditEvents)).toContain('disable')
    expect(JSON.stringify(auditEvents)).not.toContain(keys[1])
  })

  it('is found by its id when two administrators act at once, whatever its index is by then', async () => {
    const { manage, inService, channels, vault } = await setUp()
    const [first, second, third] = (await manage.get(1)).health.keys.map(({ id }) => id ?? '')
    expect(new Set([first, second, third]).size).toBe(3)
    expect(JSON.stringify(await manage.get(1))).not.toContain(keys[2])
    const act = (key_id = '', of: ChannelKeyBody['act'], key?: string) =>
      manage.changeKey(1, { key_id, index: 0, hint: '', act: of, ...(key && { key }) }, admin)
    await act(first, 'delete')
    await act(third, 'replace', 'sk-another-key-000004')
    expect(inService()).toEqual([keys[1], 'sk-another-key-000004'])
    await expect(act(third, 'disable')).rejects.toMatchObject({ code: 'channel_key_gone' })
    await expect(act(second, 'replace', 'sk-another-key-000004')).rejects.toMatchObject({
      code: 'channel_key_known',
    })
    expect(
      vault.open((await channels.find(1))?.keysSealed ?? '', sealContexts.channelKeys(1)).split('\n').length,
    ).toBe(2)
  })

  it('is replaced, which puts its place back into service', async () => {
    const { change, manage, inService, auditEvents } = await setUp()
    await change(1, 'disable')
    const { id = '' } = (await manage.get(1)).health.keys[1] ?? {}
    await manage.changeKey(
      1,
      { key_id: id, index: 1, hint: '', act: 'replace', key: ' sk-new-key-00000009 ' },
      admin,
    )
    expect(inService()).toEqual([keys[0], 'sk-new-key-00000009', keys[2]])
    expect(JSON.stringify(auditEvents)).not.toContain('sk-new-key-00000009')
  })

  it('is added behind the others, once', async () => {
    const { manage, inService, auditEvents } = await setUp()
    const text = `sk-fourth-key-0000004\n${keys[1]}\nsk-fifth-key-00000005`
    expect(await manage.addKeys(1, text, admin)).toMatchObject({ added: 2, channel: { key_count: 5 } })
    expect(await manage.addKeys(1, text, admin)).toMatchObject({ added: 0 })
    expect(inService()).toEqual([...keys, 'sk-fourth-key-0000004', 'sk-fifth-key-00000005'])
    await expect(manage.addKeys(1, ' \n', admin)).rejects.toMatchObject({ code: 'channel_key_required' })
    expect(JSON.stringify(auditEvents)).not.toContain('sk-fourth-key')
  })

  it('is deleted, and the states of later keys move up', async () => {
    const { change, inService, manage } = await setUp()
    await change(2, 'disable')
    const after = await change(0, 'delete')
    expect(after.key_count).toBe(2)
    expect(after.health.keys.map(({ status }) => status)).toEqual(['enabled', 'disabled'])
    expect(inService()).toEqual([keys[1]])
    expect((await manage.get(1)).key_count).toBe(2)
  })

  it('stays as it is when it is the last in service, or has another place by now', async () => {
    const { change, inService } = await setUp()
    await expect(change(0, 'delete', 'sk-***999')).rejects.toMatchObject({ code: 'channel_key_gone' })
    await expect(change(9, 'delete')).rejects.toMatchObject({ code: 'channel_key_gone' })
    await change(0, 'disable')
    await change(1, 'disable')
    for (const act of ['disable', 'delete'] as const)
      await expect(change(2, act)).rejects.toMatchObject({ code: 'channel_last_key' })
    expect(inService()).toEqual([keys[2]])
  })

  it('enables a channel that the gateway disabled for lack of keys', async () => {
    const { change, channels } = await setUp()
    const state = { index: 0, status: 'auto-disabled', reason: 'why', at: 1 } as const
    await channels.update(1, { status: 'auto-disabled', keyStates: [state] })
    expect(await change(0, 'enable')).toMatchObject({ status: 1 })
  })
})
