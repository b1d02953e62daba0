import type { ChannelCreateBody, ChannelUpdateBody, Role, Channel as WireChannel } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import type { Ledger } from '../../billing/ledger-types.ts'
import type { KeyedMutex } from '../../lib/mutex.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel } from '../../store/entities.ts'
import type { ChannelRepository, NewChannel } from '../../store/store.ts'
import type { HealthBook } from '../health/health-types.ts'
import type { ClosableChannelDirectory } from '../routing/channel-directory.ts'
import { joinKeys } from '../routing/key-lines.ts'
import { providerOf } from '../routing/provider-of.ts'
import { checkRoute } from './channel-address.ts'
import { type ChangeDependencies, readUpdate, routeOf } from './channel-change.ts'
import { type ChannelInput, readChannelInput, readStatus } from './channel-input.ts'
import { parseKeys } from './channel-keys.ts'
import { toWire } from './channel-wire.ts'
import { taggedPage, withTagsOf } from './tags.ts'

export interface ManageChannelsDependencies extends ChangeDependencies {
  readonly channels: ChannelRepository
  readonly directory: Pick<ClosableChannelDirectory, 'snapshot' | 'settled'>
  readonly health: Pick<HealthBook, 'view' | 'reset'>
  readonly ledger: Pick<Ledger, 'unflushed'>
  /** By channel id: each change reads what the one before it wrote. */
  readonly locks: KeyedMutex<number>
  readonly bus: ChangeBus
  readonly wallClock: Clock
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

/** What administrators do with channels. No answer has a provider key. A change is in routing when its promise resolves. */
export interface ManageChannels {
  create(body: ChannelCreateBody, role: Role): Promise<WireChannel>
  get(id: number): Promise<WireChannel>
  list(page: ChannelPage): Promise<WireChannel[]>
  search(filter: ChannelSearch): Promise<WireChannel[]>
  update(body: ChannelUpdateBody, role: Role): Promise<WireChannel>
  /** Does nothing when there is no such channel. */
  delete(id: number): Promise<void>
}

const blank = {
  models: [],
  groups: ['default'],
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
  return new ChannelManager(deps)
}

class ChannelManager implements ManageChannels {
  readonly #deps: ManageChannelsDependencies

  constructor(deps: ManageChannelsDependencies) {
    this.#deps = deps
  }

  async create(body: ChannelCreateBody, role: Role): Promise<WireChannel> {
    const channel = await this.#deps.channels.create(await this.#newChannel(body, role))
    await this.#announce(channel.id)
    return toWire(channel, this.#deps)
  }

  async get(id: number): Promise<WireChannel> {
    return toWire(await this.#stored(id), this.#deps)
  }

  async list({ page, size, byId, byTag }: ChannelPage): Promise<WireChannel[]> {
    const { channels } = this.#deps
    const offset = Math.min(page * size, Number.MAX_SAFE_INTEGER)
    const found = byTag
      ? taggedPage(await channels.listAll(), offset, size, byId)
      : await channels.list({ offset, limit: size, byId })
    return found.map((channel) => toWire(channel, this.#deps))
  }

  async search({ byTag, ...filter }: ChannelSearch): Promise<WireChannel[]> {
    const { channels } = this.#deps
    const found = await channels.search(presentOf(filter))
    const shown = byTag ? withTagsOf(found, await channels.listAll(), filter.byId) : found
    return shown.map((channel) => toWire(channel, this.#deps))
  }

  async update(body: ChannelUpdateBody, role: Role): Promise<WireChannel> {
    const updated = await this.#deps.locks.run(body.id, () => this.#update(body, role))
    return toWire(updated, this.#deps)
  }

  delete(id: number): Promise<void> {
    return this.#deps.locks.run(id, async () => {
      await this.#deps.channels.delete(id)
      await this.#announce(id)
      this.#deps.health.reset(id)
    })
  }

  async #newChannel(body: ChannelCreateBody, role: Role): Promise<NewChannel> {
    const { vault, guard, providerFor, wallClock } = this.#deps
    const keys = parseKeys(body.key)
    const name = body.name.trim()
    if (name === '' || keys.length === 0) throw new Refusal('channel_name_and_key_required')
    const provider = providerOf(body.type, providerFor)
    const fields = { ...blank, name, ...readChannelInput(body, body.type) }
    return {
      ...fields,
      type: body.type,
      status: readStatus(body.status),
      keysSealed: vault.seal(joinKeys(keys)),
      keyCount: keys.length,
      baseUrlTrusted: await checkRoute(routeOf(fields, provider), role, guard),
      createdAt: unixSeconds(wallClock),
    }
  }

  async #update(body: ChannelUpdateBody, role: Role): Promise<Channel> {
    const { channels, health } = this.#deps
    const channel = await this.#stored(body.id)
    const { change, resetsHealth } = await readUpdate(channel, body, role, this.#deps)
    if (Object.keys(change).length === 0) return channel
    const updated = await channels.update(channel.id, change)
    if (updated === undefined) throw new Refusal('record_not_found')
    await this.#announce(channel.id)
    // After the announcement: attempts that began before it used the old keys and address.
    if (resetsHealth) health.reset(channel.id)
    return updated
  }

  async #stored(id: number): Promise<Channel> {
    const channel = await this.#deps.channels.find(id)
    if (channel === undefined) throw new Refusal('record_not_found')
    return channel
  }

  /** Publishes a change. Resolves when the routing snapshot has it. */
  async #announce(id: number): Promise<void> {
    this.#deps.bus.publish('channels-changed', { ids: [id] })
    await this.#deps.directory.settled()
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
