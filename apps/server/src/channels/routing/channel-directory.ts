import { type Clock, monotonicClock } from '@tollgate/base'
import { Reloader } from '../../lib/async/reloader.ts'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel, ChannelRepository, ChannelSummary } from '../../store/channels/channels.ts'
import { sealContexts } from '../../store/installation/sealed-places.ts'
import { buildSnapshot, emptySnapshot, type UnroutableChannel } from './channel-snapshot.ts'
import { compileChannel, type OpenedKeys, splitKeys, withSummary } from './compile-channel.ts'
import { ModelNames } from './model-names.ts'
import type { ProviderFor } from './provider-of.ts'
import type { ChannelDirectory, ChannelSnapshot, RoutedChannel } from './routing-types.ts'

interface DirectoryDependencies {
  readonly channels: Pick<ChannelRepository, 'listAll' | 'listByIds' | 'listSummaries'>
  readonly vault: Pick<Vault, 'open'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
  readonly bus: ChangeBus
  readonly monotonic?: Clock
  readonly providerFor: ProviderFor
}

interface RememberedKeys extends OpenedKeys {
  readonly sealed: string
  readonly baseUrl: string
}

/** A stored channel as it was compiled. */
type Compiled =
  | { readonly routed: RoutedChannel; readonly keys: RememberedKeys }
  | { readonly unroutable: UnroutableChannel }

/** Holds all channels ready for routing. A failed reload leaves the last snapshot in force. */
export class ClosableChannelDirectory implements ChannelDirectory {
  readonly #deps: DirectoryDependencies
  readonly #reloader: Reloader
  readonly #unsubscribe: readonly (() => void)[]
  #snapshot = emptySnapshot
  /** Channels by id, in the order of ids. */
  #compiled: ReadonlyMap<number, Compiled> = new Map()
  #names = new ModelNames()
  /** Channels that the next load reads: these, or all of them; and for which of these only the summary. */
  #stale: Set<number> | 'all' = new Set()
  #staleSummaries = new Set<number>()

  constructor(deps: DirectoryDependencies) {
    this.#deps = deps
    this.#reloader = new Reloader({
      load: () => this.#load(),
      onFailure: (error) =>
        deps.logger.error(
          { err: error },
          'channels cannot be read, so calls are routed by what was read before: check the database',
        ),
    })
    this.#unsubscribe = [
      deps.bus.subscribe('channels-changed', ({ ids, inSummary }) => {
        if (inSummary === true) for (const id of ids) this.#staleSummaries.add(id)
        else this.#markStale(ids)
        return this.#reloadInBackground()
      }),
      deps.bus.subscribe('everything-changed', () => {
        this.#stale = 'all'
        return this.#reloadInBackground()
      }),
    ]
  }

  get snapshot(): ChannelSnapshot {
    return this.#snapshot
  }

  /** Decides whether the snapshot has the keys of this row, at the same indexes. */
  hasKeysOf({ id, keysSealed }: Pick<Channel, 'id' | 'keysSealed'>): boolean {
    const compiled = this.#compiled.get(id)
    return compiled !== undefined && 'keys' in compiled && compiled.keys.sealed === keysSealed
  }

  reload(): Promise<void> {
    this.#stale = 'all'
    return this.#reloader.reload()
  }

  /** Resolves when every change announced so far is in the snapshot, or its load has failed. */
  settled(): Promise<void> {
    return this.#reloader.settled()
  }

  /** Ends the subscription and gives up a pending retry. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#reloader.close()
  }

  #reloadInBackground(): Promise<void> {
    this.#reloader.reloadInBackground()
    return this.#reloader.settled()
  }

  #markStale(ids: Iterable<number>): void {
    if (this.#stale !== 'all') for (const id of ids) this.#stale.add(id)
  }

  async #load(): Promise<void> {
    const stale = this.#stale
    const summaries = this.#staleSummaries
    this.#stale = new Set()
    this.#staleSummaries = new Set()
    try {
      if (stale === 'all') this.#replaceAll(await this.#deps.channels.listAll())
      else await this.#loadSome(stale, summaries)
    } catch (error) {
      for (const id of summaries) this.#staleSummaries.add(id)
      // The next load repeats these, with what has changed since.
      if (stale === 'all') this.#stale = 'all'
      else this.#markStale(stale)
      throw error
    }
  }

  async #loadSome(stale: ReadonlySet<number>, summaries: ReadonlySet<number>): Promise<void> {
    const { channels } = this.#deps
    if (stale.size > 0) this.#replace(stale, await channels.listByIds([...stale]))
    const others = [...summaries].filter((id) => !stale.has(id))
    if (others.length > 0) this.#patch(await channels.listSummaries({ ids: others }))
  }

  #patch(summaries: readonly ChannelSummary[]): void {
    const compiled = new Map(this.#compiled)
    for (const summary of summaries) {
      const known = compiled.get(summary.id)
      if (known === undefined || !('routed' in known)) continue
      compiled.set(summary.id, { ...known, routed: withSummary(known.routed, summary) })
    }
    this.#show(compiled)
  }

  #replaceAll(stored: readonly Channel[]): void {
    this.#names = new ModelNames()
    this.#show(new Map(stored.map((channel) => [channel.id, this.#compile(channel)])))
  }

  #replace(ids: ReadonlySet<number>, stored: readonly Channel[]): void {
    const retained = [...this.#compiled].filter(([id]) => !ids.has(id))
    const changed = stored.map((channel) => [channel.id, this.#compile(channel)] as const)
    this.#show(new Map([...retained, ...changed].sort(([a], [b]) => a - b)))
  }

  #show(compiled: ReadonlyMap<number, Compiled>): void {
    const all = [...compiled.values()]
    const routed = all.flatMap((one) => ('routed' in one ? one.routed : []))
    const unroutable = all.flatMap((one) => ('unroutable' in one ? one.unroutable : []))
    this.#compiled = compiled
    this.#snapshot = buildSnapshot(routed, unroutable, this.#names)
  }

  #compile(channel: Channel): Compiled {
    const { providerFor, logger } = this.#deps
    const names = this.#names
    const known = this.#compiled.get(channel.id)
    const provider = providerFor(channel.type)
    const remembered = known !== undefined && 'keys' in known ? known.keys : undefined
    const keys = provider === undefined ? undefined : openKeys(channel, remembered, this.#deps)
    if (provider === undefined || keys === undefined) {
      const models = new Set(channel.models.map((model) => names.intern(model)))
      return { unroutable: { id: channel.id, models } }
    }
    const report = (error: unknown) =>
      logger.warn(
        { err: error, channelId: channel.id },
        'a field of this channel cannot be read and has its default: save the channel again',
      )
    return { keys, routed: compileChannel(channel, provider, keys, names, report) }
  }
}

/** Unseals keys only when they changed: unsealing all of them on every reload would block the event loop. */
function openKeys(
  channel: Channel,
  known: RememberedKeys | undefined,
  deps: DirectoryDependencies,
): RememberedKeys | undefined {
  if (known?.sealed === channel.keysSealed && known.baseUrl === channel.baseUrl) return known
  try {
    return {
      keys: splitKeys(deps.vault.open(channel.keysSealed, sealContexts.channelKeys(channel.id))),
      since: (deps.monotonic ?? monotonicClock).now(),
      sealed: channel.keysSealed,
      baseUrl: channel.baseUrl,
    }
  } catch (error) {
    deps.logger.error(
      { err: error, channelId: channel.id },
      'the master key does not open the keys of this channel, and it is not used: enter its keys again, or set TOLLGATE_SECRET_PREVIOUS to the former master key',
    )
    return undefined
  }
}
