import { defaults } from '../../../packages/api/src/settings/index.ts'
import { addUser } from '../add-user.ts'
import { type Operator, operate } from '../operator.ts'
import { startTollgate, type Tollgate } from '../server.ts'
import { until } from '../until.ts'
import { refuse, reset, respond } from '../upstream/behaviours.ts'
import { startUpstream, type Upstream } from '../upstream/upstream.ts'

/** A gateway in the middle of an outage, and what can be done with it. */
export interface Outage {
  readonly gateway: Tollgate
  readonly root: Operator
  readonly upstream: Upstream
  /** Calls a model with the super administrator's key, or with that of a user who ran dry. */
  call(model: string, as?: (typeof dryUsers)[number]): Promise<Response>
  /** The number of a user who ran dry. */
  userId(name: (typeof dryUsers)[number]): number
  stop(): Promise<void>
}

const channels = Array.from({ length: 12 }, (_, index) => `channel ${String(index + 1).padStart(2, '0')}`)
/** The channels that die, each in its own way, with the model that each serves alone. */
export const deadChannels = [
  { name: 'channel 03', model: 'model-03', die: refuse(401, { message: 'wrong key' }) },
  { name: 'channel 06', model: 'model-06', die: reset() },
  { name: 'channel 09', model: 'model-09', die: refuse(503, { message: 'overloaded' }) },
] as const
export const dryUsers = ['emil', 'ida'] as const
export const unpricedModel = 'model-new'

/** Number of failures of each of them. */
export const failures = { channel: 6, emil: 9, ida: 4, unpriced: 5 } as const
const answers = 2

/**
 * Twelve channels of which three die, two users who run dry and a model without a price; all within the last hour.
 * @param start a gateway without channels
 */
export async function playOutage(start = () => startTollgate()): Promise<Outage> {
  const upstream = await startUpstream()
  upstream.otherwise(respond({ text: 'Hello.', usage: { promptTokens: 1000, completionTokens: 500 } }))
  const gateway = await start()
  const root = await operate(gateway.url)
  await root.option('RetryTimes', '0')
  for (const name of channels) {
    const own = modelOf(name)
    const models = name === channels.at(-1) ? `${own},${unpricedModel}` : own
    await root.addChannel({ name, base_url: upstream.url, models })
  }
  await root.option(
    'ModelRatio',
    JSON.stringify({
      ...defaults.ModelRatio,
      ...Object.fromEntries(channels.map((name) => [modelOf(name), 1])),
    }),
  )
  const { key } = await root.addKey()
  const keys = new Map<string, string>()
  const ids = new Map<string, number>()
  for (const name of dryUsers) {
    const user = await addUser(gateway, name, 10)
    ids.set(name, user.userId)
    keys.set(name, (await user.addKey()).key)
  }
  const outage: Outage = {
    gateway,
    root,
    upstream,
    call: (model, as) => call(gateway.url, as === undefined ? key : (keys.get(as) ?? ''), model),
    userId: (name) => ids.get(name) ?? 0,
    async stop() {
      await gateway.stop()
      await upstream.stop()
    },
  }
  await fail(outage)
  return outage
}

async function fail({ call, root, upstream }: Outage): Promise<void> {
  const times = async (count: number, ...args: Parameters<typeof call>) => {
    for (let made = 0; made < count; made++) await (await call(...args)).text()
  }
  const before = await root.consumed()
  for (const name of channels) await times(answers, modelOf(name))
  for (const { model, die } of deadChannels) {
    upstream.on(model, die)
    await times(failures.channel, model)
  }
  for (const name of dryUsers) await times(failures[name], 'model-01', name)
  await times(failures.unpriced, unpricedModel)
  await root.consumption(before + channels.length * answers)
  const { channel, emil, ida, unpriced } = failures
  const lost = deadChannels.length * channel + emil + ida + unpriced
  // The second that runs is counted when it is over.
  await until(async () => {
    const { items } = await root.api<{ items: { calls_lost: number }[] }>(
      'GET',
      '/api/incident/?p=1&page_size=50',
    )
    return items.reduce((sum, { calls_lost }) => sum + calls_lost, 0) === lost ? true : undefined
  })
}

function modelOf(channel: string): string {
  return channel.replace('channel ', 'model-')
}

async function call(url: string, key: string, model: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
  })
}
