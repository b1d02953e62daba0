import { describe, expect, it } from 'bun:test'
import { admin, channelForm, channelWorld } from '../test-support/channel-world.ts'
import { runEach, runSchedules } from './schedule-channel.ts'

async function setUp() {
  const world = channelWorld()
  await world.manage.create(channelForm(), admin)
  const now = () => world.time.now / 1000
  const at = async (seconds: number) => {
    world.time.now = seconds * 1000
    await runSchedules(world, new AbortController().signal)
    return (await world.manage.get(1)).status
  }
  const plan = (off_at: number, on_at: number) => world.manage.schedule(1, { off_at, on_at }, admin)
  return { ...world, now, at, plan }
}

describe('planned switches of a channel', () => {
  it('switch it off and on again, each once, and say who planned them', async () => {
    const { plan, at, now, manage, auditEvents } = await setUp()
    const [off, on] = [now() + 60, now() + 600]
    expect((await plan(off, on)).schedule).toEqual({ off_at: off, on_at: on, by: '#2' })
    expect(await at(off - 1)).toBe(1)
    expect(await at(off)).toBe(2)
    expect((await manage.get(1)).schedule).toMatchObject({ off_at: 0, on_at: on })
    // A person who switches it on meanwhile is not overruled.
    await manage.update({ id: 1, status: 1 }, admin)
    expect(await at(off + 5)).toBe(1)
    await manage.update({ id: 1, status: 2 }, admin)
    expect(await at(on)).toBe(1)
    expect((await manage.get(1)).schedule).toBeNull()
    const bySystem = auditEvents.filter(({ actorId }) => actorId === 0)
    expect(bySystem.map(({ action }) => action)).toEqual(['channel.disable', 'channel.enable'])
    expect(bySystem.every(({ after }) => after.includes('"scheduled_by":"#2"'))).toBe(true)
  })

  it('come to the later one where both times passed while nothing ran', async () => {
    const { plan, at, now } = await setUp()
    await plan(now() + 60, now() + 120)
    expect(await at(now() + 600)).toBe(1)
  })

  it('leave a channel out of service that the gateway took out', async () => {
    const { plan, at, now, channels } = await setUp()
    await plan(0, now() + 60)
    await channels.update(1, { status: 'auto-disabled' })
    expect(await at(now() + 60)).toBe(3)
    await plan(now() + 60, 0)
    expect(await at(now() + 60)).toBe(2)
  })

  it('go on with the others where one cannot be switched, and say why', async () => {
    const ran: number[] = []
    const run = async (id: number) => {
      ran.push(id)
      if (id === 1) throw new Error('the first')
    }
    await expect(runEach([1, 2], new AbortController().signal, run)).rejects.toThrow('the first')
    expect(ran).toEqual([1, 2])
  })

  it('are replaced and cancelled, and refused in the past and in no order', async () => {
    const { plan, at, now, manage, auditEvents } = await setUp()
    await plan(now() + 60, 0)
    expect((await plan(now() + 90, 0)).schedule).toMatchObject({ off_at: now() + 90 })
    expect((await manage.cancelSchedule(1, admin)).schedule).toBeNull()
    for (const [off, on] of [
      [0, 0],
      [now() - 1, 0],
      [now() + 60, now() + 60],
      [now() + 60, now() + 30],
    ] as const)
      await expect(plan(off, on)).rejects.toMatchObject({ code: 'channel_schedule_invalid' })
    expect(await at(now() + 90)).toBe(1)
    expect(auditEvents.at(-1)?.action).toBe('channel.cancel-schedule')
  })
})
