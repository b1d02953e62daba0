import type { AuditStore } from '../../apps/server/src/store/engine/open/open-audit.ts'
import { addUser } from '../support/add-user.ts'
import { logIn, type Operator, operate } from '../support/operator.ts'
import type { Tollgate } from '../support/server.ts'
import { type Installation, markModels } from './installation.ts'
import { startVendor, type Vendor } from './vendor.ts'

/** Quota units for each token sent and half that for each token received. */
export const completionRatio = 2
/** Dollars for each image. */
const imagePrice = 0.002
/** Quota units for each image: 500,000 are a dollar. */
export const imageQuota = 1000
/** Dollars for each song. */
const songPrice = 0.01
export const songQuota = 5000

export const chatModels = ['walk-gpt', 'walk-codex', 'walk-claude', 'walk-gemini'] as const
export type ChatModel = (typeof chatModels)[number]

/** Parts that all walks of a run share: the nodes, one vendor behind them, one person who calls. */
export interface World {
  /** The node that a step is sent to. */
  readonly gateway: Tollgate
  readonly gateways: readonly Tollgate[]
  readonly vendor: Vendor
  /** The books of the gateway, open for reading: a process for each look would take most of the time. */
  readonly books: AuditStore
  /** Two sessions of the person who runs the gateway, the second at the next node. */
  readonly operators: readonly [Operator, Operator]
  readonly caller: { session: Operator; password: string }
  /** Resolves when every node has taken up what was changed before. */
  crossed(): Promise<void>
  stop(): Promise<void>
}

/** Walks over one gateway, or over three nodes on PostgreSQL. */
export async function startWorld(installation: Installation): Promise<World> {
  const { gateways, books } = installation
  const [gateway] = gateways
  const vendor = await startVendor()
  const first = await operate(gateway.url)
  await first.option('RetryTimes', '2')
  const marks = Object.fromEntries(markModels.map((model) => [model, 1]))
  await first.option(
    'ModelPrice',
    JSON.stringify({ ...marks, 'walk-image': imagePrice, suno_music: songPrice }),
  )
  await first.option(
    'CompletionRatio',
    JSON.stringify(Object.fromEntries(chatModels.map((model) => [model, completionRatio]))),
  )
  await first.addChannel({
    name: 'songs',
    type: 36,
    base_url: vendor.url,
    key: 'songs-key',
    models: 'suno_music',
  })
  const session = await addUser(gateway, 'walker', 500_000_000)
  return {
    gateway,
    gateways,
    vendor,
    books,
    operators: [first, await operate(gateway.url)],
    caller: { session, password: 'a-long-password' },
    crossed: await installation.crossing(first),
    async stop() {
      await installation.stop()
      await vendor.stop()
    },
  }
}

/** The same world with the next steps at another node. */
export function worldAt<Position extends World>(world: Position, position: number): Position {
  const { gateways, operators } = world
  const nodeAt = (index: number) => gateways[index % gateways.length] ?? world.gateway
  const [first, second] = operators
  const gateway = nodeAt(position)
  return { ...world, gateway, operators: [first.at(gateway.url), second.at(nodeAt(position + 1).url)] }
}

/** The session of the person who calls, at the node of the step. */
export function sessionIn({ gateway, caller }: World): Operator {
  return caller.session.at(gateway.url)
}

export const channelNames = ['gpt-1', 'gpt-2', 'codex', 'claude', 'gemini'] as const
export type ChannelName = (typeof channelNames)[number]

/** Fields of a walk's channels, and the chat model that each serves. */
const channelRows: Readonly<Record<ChannelName, { type: number; models: string; path?: string }>> = {
  'gpt-1': { type: 1, models: 'walk-gpt,walk-image' },
  'gpt-2': { type: 1, models: 'walk-gpt,walk-image' },
  codex: { type: 1, models: 'walk-codex', path: '/api.openai.com' },
  claude: { type: 14, models: 'walk-claude' },
  gemini: { type: 24, models: 'walk-gemini' },
}

export const channelsOf: Readonly<Record<ChatModel, readonly ChannelName[]>> = {
  'walk-gpt': ['gpt-1', 'gpt-2'],
  'walk-codex': ['codex'],
  'walk-claude': ['claude'],
  'walk-gemini': ['gemini'],
}

/** Parts of one walk alone: its channels and its key. */
export interface Scene extends World {
  readonly channels: Readonly<Record<ChannelName, { readonly id: number; readonly credential: string }>>
  readonly key: { readonly id: number; readonly key: string; readonly name: string }
  /** A text that nothing else of the run contains; the vendor knows a call by it. */
  mark(): string
  leave(): Promise<void>
}

let walks = 0

export async function createScene(world: World): Promise<Scene> {
  walks += 1
  const walk = walks
  let marks = 0
  const [operator] = world.operators
  await setRatio(operator, 1)
  const channels = Object.fromEntries(
    await Promise.all(
      channelNames.map(async (name) => {
        const { type, models, path = '' } = channelRows[name]
        const credential = `${name}-key-of-walk-${walk}`
        const base_url = world.vendor.url + path
        const { id } = await operator.addChannel({ name, type, models, base_url, key: credential })
        return [name, { id, credential }] as const
      }),
    ),
  ) as Scene['channels']
  const name = `walk ${walk}`
  const key = { ...(await world.caller.session.addKey({ name })), name }
  await world.crossed()
  return {
    ...world,
    channels,
    key,
    mark() {
      marks += 1
      return `mark-${walk}-${marks}`
    },
    async leave() {
      await Promise.all(
        channelNames.map((channel) => operator.api('DELETE', `/api/channel/${channels[channel].id}`)),
      )
    },
  }
}

/** The same ratio for every chat model of the walks. */
export function setRatio(operator: Operator, ratio: number): Promise<void> {
  return operator.option(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(chatModels.map((model) => [model, ratio]))),
  )
}

export async function logCallerIn({ gateway, caller }: World): Promise<void> {
  caller.session = await logIn(gateway.url, { username: 'walker', password: caller.password })
}
