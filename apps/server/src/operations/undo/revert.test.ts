import { afterAll, beforeAll, describe, expect, it } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isRevertible } from '@tollgate/api'
import { defaults } from '@tollgate/api/settings'
import { runDrains } from '../../channels/manage/drain-channel.ts'
import { runSchedules } from '../../channels/manage/schedule-channel.ts'
import { runKeySchedules } from '../../channels/manage/schedule-key.ts'
import { channelForm, channelWorldOver, root } from '../../channels/test-support/channel-world.ts'
import { Refusal } from '../../lib/refusal.ts'
import { openStore } from '../../store/engine/open/open-store.ts'
import type { AuditRecord } from '../../store/log/audit-log.ts'
import type { Store } from '../../store/store.ts'
import { createIntendedRevert } from './intended-revert.ts'
import { createRevert } from './revert.ts'

let directory: string
let store: Store
let world: ReturnType<typeof channelWorldOver<Store['channels']>>

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tollgate-undo-'))
  store = await openStore({ dataDir: directory, logger: { warn: () => undefined } })
  world = channelWorldOver(store.channels, {}, { store })
})
afterAll(async () => {
  await store.close()
  await rm(directory, { recursive: true, force: true })
})

const reason = { code: 'key_refused', params: { status: 401 } } as const
const { signal } = new AbortController()
const later = (seconds: number) => world.time.now / 1000 + seconds

interface Scene {
  readonly id: number
  readonly tag: string
  readonly keyId: string
}
type Step = (scene: Scene) => Promise<unknown>

const drain: Step = ({ id }) => world.manage.drain(id, { stays: true }, root)
const autoDisable: Step = ({ id }) => world.control.disableChannel(id, reason)
const autoDisableKeys = async ({ id }: Scene, count: number) => {
  for (let index = 0; index < count; index += 1) await world.control.disableKey(id, index, reason)
}
const actOnKey = ({ id, keyId }: Scene, act: 'enable' | 'disable') =>
  world.manage.changeKey(id, { key_id: keyId, index: 0, hint: '', act }, root)
const schedule: Step = ({ id }) => world.manage.schedule(id, { off_at: later(60), on_at: later(90) }, root)
const scheduleKey = ({ id, keyId }: Scene, off_at: number) =>
  world.manage.scheduleKey(id, { key_id: keyId, off_at, on_at: 0 }, root)

/** States of a channel of three keys that an act may find. */
const states: Readonly<Record<string, Step>> = {
  enabled: async () => {},
  'enabled, with a key that a person disabled': (scene) => actOnKey(scene, 'disable'),
  'enabled, with keys that the gateway disabled': (scene) => autoDisableKeys(scene, 2),
  disabled: ({ id }) => world.manage.update({ id, status: 2 }, root),
  'disabled by the gateway': autoDisable,
  'disabled by the gateway, key by key': (scene) => autoDisableKeys(scene, 3),
  draining: drain,
  'draining, with keys that the gateway disabled': async (scene) => {
    await autoDisableKeys(scene, 1)
    await drain(scene)
  },
  scheduled: async (scene) => {
    await schedule(scene)
    await scheduleKey(scene, later(70))
  },
}

/** Every act that switches a channel or a key, or plans that. */
const acts: Readonly<Record<string, Step>> = {
  'enable it': ({ id }) => world.manage.update({ id, status: 1 }, root),
  'disable it': ({ id }) => world.manage.update({ id, status: 2 }, root),
  'enable it and change its weight': ({ id }) => world.manage.update({ id, status: 1, weight: 8 }, root),
  'enable many': ({ id }) => world.manage.bulk.update({ ids: [id], status: 1 }, root),
  'disable many': ({ id }) => world.manage.bulk.update({ ids: [id], status: 2 }, root),
  'enable many with a model more': ({ id }) =>
    world.manage.bulk.update({ ids: [id], status: 1, models: { mode: 'add', names: 'o3' } }, root),
  'enable its tag': ({ tag }) => world.manage.bulk.switchTag(tag, 'enabled', root),
  'disable its tag': ({ tag }) => world.manage.bulk.switchTag(tag, 'disabled', root),
  'drain it': ({ id }) => world.manage.drain(id, { stays: false }, root),
  'drain it until somebody ends that': drain,
  'drain it to its end': async ({ id }) => {
    await world.manage.drain(id, { stays: false }, root)
    world.time.now += 6000
    await runDrains(world, signal)
  },
  'end its drain': ({ id }) => world.manage.endDrain(id, root),
  'plan it': ({ id }) => world.manage.schedule(id, { off_at: 0, on_at: later(500) }, root),
  'cancel its plan': ({ id }) => world.manage.cancelSchedule(id, root),
  'disable a key': (scene) => actOnKey(scene, 'disable'),
  'enable a key': (scene) => actOnKey(scene, 'enable'),
  'plan a key': (scene) => scheduleKey(scene, later(600)),
  'cancel the plan of a key': (scene) => scheduleKey(scene, 0),
}

async function stateOf({ id }: Scene) {
  const channel = await store.channels.find(id)
  const plans = [await store.channelSwitches.find(id), ...(await store.channelKeySwitches.listByChannel(id))]
  return {
    ...{ status: channel?.status, reason: channel?.statusReason, weight: channel?.weight },
    ...{
      models: channel?.models,
      keys: channel?.keyStates.toSorted((one, other) => one.index - other.index),
    },
    plans: plans.map((plan) => plan && [plan.offAt, plan.onAt]),
  }
}

async function recordsOf({ id }: Scene): Promise<readonly AuditRecord[]> {
  const { rows } = await store.auditLog.page(
    { targetKind: 'channel', targetId: id },
    { offset: 0, limit: 50 },
  )
  return rows
}

let made = 0
async function setUp(): Promise<Scene> {
  made += 1
  const [name, tag] = [`undone-${made}`, `tag-${made}`]
  const key = ['a', 'b', 'c'].map((each) => `sk-${each}-${made}-0123456789`).join('\n')
  const { id, health } = await world.manage.create(channelForm({ name, tag, key }), root)
  return { id, tag, keyId: health.keys[0]?.id ?? '' }
}

const revert = (id: number) =>
  createRevert({ store, channels: world.manage } as unknown as Parameters<typeof createRevert>[0])(root, id)

const intend = (id: number) =>
  createIntendedRevert({ store, settings: { current: defaults }, channels: world.manage })(root, id)

type State = Awaited<ReturnType<typeof stateOf>>
const isInService = ({ status, keys = [] }: State) => status === 'enabled' && keys.length < 3
const keysOff = ({ keys = [] }: State) => keys.map(({ index }) => index)

/** The change that takes as much out of service, as the question before it names it. */
function changeBetween({ id }: Scene, before: State, after: State): Awaited<ReturnType<typeof intend>> {
  if (!isInService(after)) return { ids: [id] }
  const off = keysOff(after).filter((index) => !keysOff(before).includes(index))
  if (off.length === 1) return { ids: [id], key_id: expect.any(String) }
  return isDeepStrictEqual(before.models, after.models)
    ? { ids: [] }
    : { ids: [id], models: after.models?.join() }
}

/** Reverts a record, by two at once; returns the record of that. The question before it names what goes out of service with it. */
async function revertOnce(scene: Scene, id: number): Promise<number> {
  const [before, intended] = [await stateOf(scene), await intend(id)]
  const outcomes = await Promise.allSettled([revert(id), revert(id)])
  if (isInService(before)) expect(intended).toEqual(changeBetween(scene, before, await stateOf(scene)))
  const codes = outcomes.map((each) => (each.status === 'fulfilled' ? '' : (each.reason as Refusal).code))
  expect(codes.sort()).toEqual(['', 'audit_changed_since'])
  const undos = (await recordsOf(scene)).filter(({ reverts }) => reverts === id)
  expect(undos).toHaveLength(1)
  return undos[0]?.id ?? 0
}

/** A drain that ended by itself is taken back by its beginning; a record without a state before is of nothing that changed. */
const isOfPerson = ({ action, actorId, before }: AuditRecord) =>
  isRevertible(action) && actorId !== 0 && before !== ''

describe.each(Object.keys(states))('a channel that is %s', (state) => {
  it.each(Object.keys(acts))('is so again when somebody takes back: %s', async (act) => {
    const scene = await setUp()
    await states[state]?.(scene)
    const [before, known] = [await stateOf(scene), await recordsOf(scene)]
    await acts[act]?.(scene).catch((error) => {
      if (!(error instanceof Refusal)) throw error
    })
    const after = await stateOf(scene)
    const [record] = (await recordsOf(scene)).filter(isOfPerson)
    if (record === undefined || record.id <= (known[0]?.id ?? 0)) {
      expect(after).toEqual(before)
      return
    }
    const undo = await revertOnce(scene, record.id)
    expect(await stateOf(scene)).toEqual(before)
    if (isDeepStrictEqual(before, after)) return
    await revertOnce(scene, undo)
    expect(await stateOf(scene)).toEqual(after)
  })

  it('is so again when somebody takes back what a plan did', async () => {
    const scene = await setUp()
    await states[state]?.(scene)
    const before = await stateOf(scene)
    await store.channelSwitches.put({ channelId: scene.id, offAt: later(-1), onAt: 0, setBy: 1, setAt: 0 })
    const own = { channelId: scene.id, keyId: scene.keyId }
    await store.channelKeySwitches.put({ ...own, offAt: later(-1), onAt: 0, setBy: 1, setAt: 0 })
    const deps = { ...world, switches: store.channelSwitches, keySwitches: store.channelKeySwitches }
    await runKeySchedules(deps, signal)
    await runSchedules(deps, signal)
    for (const { id, before, after } of await recordsOf(scene))
      if (before !== '' && after.includes('scheduled_by')) await revert(id)
    expect({ ...(await stateOf(scene)), plans: before.plans }).toEqual(before)
  })
})
