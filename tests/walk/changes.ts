import { expect } from 'bun:test'
import fc from 'fast-check'
import { operate } from '../support/operator.ts'
import { command, expectBalance } from './calls.ts'
import { channelNames, logCallerIn, sessionIn, setRatio, worldAt } from './scene.ts'

/** The caller disables the key, or enables it again. */
const toggleKey = fc.constant(
  command('toggle key', {}, async (model, scene) => {
    model.keyEnabled = !model.keyEnabled
    const status = model.keyEnabled ? 1 : 2
    await sessionIn(scene).api('PUT', '/api/token/?status_only=true', { id: scene.key.id, status })
  }),
)

/** An operator disables a channel, or enables it again. */
const toggleChannel = fc.constantFrom(...channelNames).map((name) =>
  command('toggle channel', { name }, async (model, { operators: [operator], channels }) => {
    const isDisabled = model.disabled.has(name)
    await operator.api('PUT', '/api/channel/', { id: channels[name].id, status: isDisabled ? 1 : 2 })
    if (isDisabled) model.disabled.delete(name)
    else model.disabled.add(name)
  }),
)

/** An operator changes the price: the next call pays the new one. */
const changePrice = fc.constantFrom(1, 2, 5).map((ratio) =>
  command('change price', { ratio }, async (model, { operators: [operator] }) => {
    await setRatio(operator, ratio)
    model.ratio = ratio
  }),
)

/** The caller gives the key a small budget, or none. */
const changeBudget = fc.option(fc.integer({ min: 0, max: 200 }), { nil: undefined }).map((budget) =>
  command('change budget', { budget }, async (model, scene) => {
    await sessionIn(scene).api('PUT', '/api/token/', {
      id: scene.key.id,
      unlimited_quota: budget === undefined,
      ...(budget !== undefined && { remain_quota: budget }),
    })
    model.remaining = budget
  }),
)

/** A new password ends the caller's other sessions, and no key. */
const changePassword = fc.constant(
  command('change password', {}, async (_, world) => {
    const { caller } = world
    const before = caller.session
    const password = `${caller.password.slice(0, 15)}${Date.now() % 10_000}`
    await logCallerIn(world)
    await caller.session.api('PUT', '/api/user/self', { password, original_password: caller.password })
    caller.password = password
    await world.crossed()
    expect((await before.call('GET', '/api/user/self')).success).toBe(false)
    await logCallerIn(world)
  }),
)

/** Two operators change one channel at once: neither loses what the other saved. */
const changeChannelTwice = fc
  .record({
    name: fc.constantFrom(...channelNames),
    weight: fc.integer({ min: 1, max: 9 }),
    tag: fc.constantFrom('a', 'b'),
  })
  .map(({ name, weight, tag }) =>
    command(
      'two operators at once',
      { name, weight, tag },
      async (_, { operators: [first, second], channels }) => {
        const { id } = channels[name]
        await Promise.all([
          first.api('PUT', '/api/channel/', { id, weight }),
          second.api('PUT', '/api/channel/', { id, tag }),
        ])
        expect(await first.api('GET', `/api/channel/${id}`)).toMatchObject({ weight, tag })
      },
    ),
  )

/** A code is redeemed twice at once and credited once. */
const redeem = fc.integer({ min: 1, max: 5000 }).map((quota) =>
  command('redeem', { quota }, async (model, scene) => {
    const { operators, gateways } = scene
    const [code] = await operators[0].api<string[]>('POST', '/api/redemption/', {
      name: 'walk',
      quota,
      count: 1,
    })
    const tries = await Promise.all(
      [0, 1].map((step) =>
        sessionIn(worldAt(scene, gateways.indexOf(scene.gateway) + step)).call('POST', '/api/user/topup', {
          key: code,
        }),
      ),
    )
    expect(tries.filter(({ success }) => success)).toHaveLength(1)
    model.balance += quota
    await expectBalance(scene, model)
  }),
)

/** A crash loses no charge that a caller was shown. */
const crash = fc.constant(
  command('crash', {}, async (model, scene) => {
    await scene.gateway.restart('SIGKILL')
    await expectBalance(scene, model)
  }),
)

/** A ban ends key and session; both work again after a new log-in. */
const ban = fc.constant(
  command('ban and unban', {}, async (_, scene) => {
    const { operators, caller, gateway, key } = scene
    const id = caller.session.userId
    await operators[1].api('POST', '/api/user/manage', { id, action: 'disable' })
    await scene.crossed()
    const refused = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${key.key}` },
    })
    await refused.text()
    expect([401, 403]).toContain(refused.status)
    expect((await sessionIn(scene).call('GET', '/api/user/self')).success).toBe(false)
    await operate(gateway.url)
    await operators[0].api('POST', '/api/user/manage', { id, action: 'enable' })
    await logCallerIn(scene)
  }),
)

export const quickChanges = [
  toggleKey,
  toggleChannel,
  changePrice,
  changeBudget,
  changeChannelTwice,
  redeem,
] as const
export const slowChanges = [changePassword, ban, crash] as const
