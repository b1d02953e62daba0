import type { ChannelCreateBody, ChannelUpdateBody, Role, Channel as WireChannel } from '@tollgate/api'
import { findChannelType } from '@tollgate/api/channel-types'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Provider } from '@tollgate/providers'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { OutboundGuard } from '../../lib/outbound-guard.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel } from '../../store/entities.ts'
import type { ChannelChange, ChannelRepository } from '../../store/store.ts'
import type { ChannelLocks } from '../channel-locks.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { parseChannelSetting } from '../routing/channel-fields.ts'
import type { HealthBook } from '../routing/routing-types.ts'
import { type ChannelRoute, checkRoute } from './channel-address.ts'
import { type ChannelInput, readChannelInput, readStatus } from './channel-input.ts'
import { joinKeys, parseKeys, splitKeys } from './channel-keys.ts'
import { toWire } from './channel-wire.ts'
import { taggedPage, withTagsOf } from './tags.ts'

export interface ManageChannelsDependencies {
  readonly channels: ChannelRepository
  readonly vault: Vault
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled'>
  readonly health: Pick<HealthBook, 'view' | 'reset'>
  readonly ledger: Pick<Ledger, 'unflushed'>
  readonly guard: OutboundGuard
  readonly locks: ChannelLocks
  readonly bus: ChangeBus
  readonly clock: Clock
  readonly providerFor: (type: number) => Provider | undefined
}

export interface ChannelPage {
  readonly page: number
  readonly size: number
  readonly byId: boolean
  readonly byTag: boolean
}

export interface ChannelSearch {
  readonly keyword?: string | undefined
  readonly group?: string | undefined
  readonly model?: string | undefined
  readonly byId: boolean
  readonly byTag: boolean
}

/** What administrators do with channels. Answers never carry a provider key; every change is in routing when it returns. */
export interface ManageChannels {
  create(body: ChannelCreateBody, role: Role): Promise<WireChannel>
  get(id: number): Promise<WireChannel>
  list(page: ChannelPage): Promise<WireChannel[]>
  search(filter: ChannelSearch): Promise<WireChannel[]>
  update(body: ChannelUpdateBody, role: Role): Promise<WireChannel>
  /** A channel that is not there any more is as good as deleted. */
  delete(id: number): Promise<void>
}

const blank = {
  openaiOrganization: '',
  maxInputTokens: 0,
  baseUrl: '',
  other: '',
  modelMapping: '',
  statusCodeMapping: '',
  paramOverride: '',
  setting: '',
  autoBan: true,
  testModel: '',
  priority: 0,
  weight: 0,
  tag: '',
} satisfies ChannelInput

export function createManageChannels(deps: ManageChannelsDependencies): ManageChannels {
  const { channels } = deps

  async function announce(id: number): Promise<void> {
    deps.bus.publish('channels-changed', { ids: [id] })
    await deps.directory.settled()
  }

  async function stored(id: number): Promise<Channel> {
    const channel = await channels.find(id)
    if (channel === undefined) throw new Refusal('record_not_found')
    return channel
  }

  async function update(body: ChannelUpdateBody, role: Role): Promise<Channel> {
    const channel = await stored(body.id)
    const { change, forgets } = await changeOf(channel, body, role, deps)
    if (Object.keys(change).length === 0) return channel
    const updated = await channels.update(channel.id, change)
    if (updated === undefined) throw new Refusal('record_not_found')
    await announce(channel.id)
    // Only now do new attempts use what was changed; what older ones still report is about the past.
    if (forgets) deps.health.reset(channel.id)
    return updated
  }

  return {
    async create(body, role) {
      const keys = parseKeys(body.key)
      if (body.name.trim() === '' || keys.length === 0) throw new Refusal('channel_name_and_key_required')
      const provider = providerOf(body.type, deps)
      const input = readChannelInput(body, body.type)
      const channel = await channels.create({
        ...blank,
        name: body.name.trim(),
        models: [],
        groups: ['default'],
        ...input,
        type: body.type,
        status: readStatus(body.status),
        keysSealed: deps.vault.seal(joinKeys(keys)),
        keyCount: keys.length,
        baseUrlTrusted: await checkRoute(routeOf({ ...blank, ...input }, provider), role, deps.guard),
        createdAt: unixSeconds(deps.clock),
      })
      await announce(channel.id)
      return toWire(channel, deps)
    },
    async get(id) {
      return toWire(await stored(id), deps)
    },
    async list({ page, size, byId, byTag }) {
      const offset = Math.min(page * size, Number.MAX_SAFE_INTEGER)
      const found = byTag
        ? taggedPage(await channels.listAll(), offset, size, byId)
        : await channels.list({ offset, limit: size, byId })
      return found.map((channel) => toWire(channel, deps))
    },
    async search({ byTag, ...filter }) {
      const found = await channels.search(presentOf(filter))
      const shown = byTag ? withTagsOf(found, await channels.listAll(), filter.byId) : found
      return shown.map((channel) => toWire(channel, deps))
    },
    update: async (body, role) => toWire(await deps.locks.run(body.id, () => update(body, role)), deps),
    delete: (id) =>
      deps.locks.run(id, async () => {
        await channels.delete(id)
        await announce(id)
        deps.health.reset(id)
      }),
  }
}

/** The provider that serves a type. Throws `Refusal` when the type is unknown or nothing serves it yet. */
export function providerOf(type: number, deps: Pick<ManageChannelsDependencies, 'providerFor'>): Provider {
  const known = findChannelType(type)
  if (known === undefined) throw new Refusal('channel_type_unknown', { type })
  const provider = deps.providerFor(type)
  if (provider === undefined) throw new Refusal('channel_type_unsupported', { name: known.name })
  return provider
}

function routeOf(fields: Pick<Channel, 'baseUrl' | 'setting'>, provider: Provider) {
  return {
    baseUrl: fields.baseUrl,
    defaultBaseUrl: provider.defaultBaseUrl,
    proxy: parseChannelSetting(fields.setting).proxy,
  }
}

/** What an update writes, and whether what is known about the channel's health is worth nothing after it. */
async function changeOf(
  channel: Channel,
  body: ChannelUpdateBody,
  role: Role,
  deps: ManageChannelsDependencies,
): Promise<{ readonly change: ChannelChange; readonly forgets: boolean }> {
  const type = body.type ?? channel.type
  const input = readChannelInput(body, type)
  const keys = newKeys(channel, body.key, deps.vault)
  const moves =
    type !== channel.type ||
    (input.baseUrl !== undefined && input.baseUrl !== channel.baseUrl) ||
    (input.setting !== undefined && proxyOf(input.setting) !== proxyOf(channel.setting))
  const status = body.status === undefined ? channel.status : readStatus(body.status, channel.status)
  const forgets = moves || keys !== undefined || (status === 'enabled' && channel.status !== 'enabled')
  const route = moves ? routeOf({ ...channel, ...input }, providerOf(type, deps)) : undefined
  return {
    forgets,
    change: {
      ...input,
      ...(status === channel.status ? {} : { status }),
      ...(route === undefined ? {} : { baseUrlTrusted: await checkMove(route, body, role, deps) }),
      ...(keys === undefined ? {} : { keysSealed: deps.vault.seal(joinKeys(keys)), keyCount: keys.length }),
      ...(forgets ? { keyStates: [] } : {}),
    },
  }
}

/**
 * Stored keys are nobody's to read but root's: not here, and not on a server that an administrator has them sent to.
 * Returns whether the route is root's.
 */
async function checkMove(
  route: ChannelRoute,
  body: ChannelUpdateBody,
  role: Role,
  deps: ManageChannelsDependencies,
): Promise<boolean> {
  const trusted = await checkRoute(route, role, deps.guard)
  if (role !== 'root' && parseKeys(body.key ?? '').length === 0) throw new Refusal('channel_keys_to_move')
  return trusted
}

/** `undefined` when the form left the keys alone, or sent the same again. */
function newKeys(channel: Channel, text: string | undefined, vault: Vault): readonly string[] | undefined {
  const keys = parseKeys(text ?? '')
  if (keys.length === 0) return undefined
  try {
    const current = splitKeys(vault.open(channel.keysSealed))
    return keys.length === current.length && keys.every((key, index) => key === current[index])
      ? undefined
      : keys
  } catch {
    // Sealed by another installation: whatever is sent is new.
    return keys
  }
}

/** Of a stored text, which another version may have written. */
function proxyOf(setting: string): string {
  try {
    return parseChannelSetting(setting).proxy
  } catch {
    return ''
  }
}

function presentOf(filter: Omit<ChannelSearch, 'byTag'>): Parameters<ChannelRepository['search']>[0] {
  return {
    byId: filter.byId,
    ...(filter.keyword === undefined ? {} : { keyword: filter.keyword }),
    ...(filter.group === undefined ? {} : { group: filter.group }),
    ...(filter.model === undefined ? {} : { model: filter.model }),
  }
}
