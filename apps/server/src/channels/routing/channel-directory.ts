import { type Clock, monotonicClock } from '@tollgate/base'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import { Reloader } from '../../lib/reloader.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel } from '../../store/entities.ts'
import type { ChannelRepository } from '../../store/store.ts'
import { buildSnapshot, emptySnapshot } from './channel-snapshot.ts'
import { compileChannel, type OpenedKeys } from './compile-channel.ts'
import { splitKeys } from './key-lines.ts'
import type { ProviderFor } from './provider-of.ts'
import type { ChannelDirectory, ChannelSnapshot, RoutedChannel } from './routing-types.ts'

interface DirectoryDependencies {
  readonly channels: Pick<ChannelRepository, 'listAll'>
  readonly vault: Pick<Vault, 'open'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
  readonly bus: ChangeBus
  readonly monotonic?: Clock
  readonly providerFor: ProviderFor
}

export interface ClosableChannelDirectory extends ChannelDirectory {
  /** Resolves when every change announced so far is in the snapshot, or could not be read. */
  settled(): Promise<void>
  /** Ends the subscription and gives up a pending retry. */
  close(): void
}

interface RememberedKeys extends OpenedKeys {
  readonly sealed: string
  readonly baseUrl: string
}

/** Holds all channels ready for routing. A failed reload keeps what was known. */
export function createChannelDirectory(deps: DirectoryDependencies): ClosableChannelDirectory {
  return new StoredChannelDirectory(deps)
}

class StoredChannelDirectory implements ClosableChannelDirectory {
  readonly #reloader: Reloader
  readonly #unsubscribe: () => void
  #snapshot = emptySnapshot
  #keys: ReadonlyMap<number, RememberedKeys> = new Map()

  constructor(deps: DirectoryDependencies) {
    this.#reloader = new Reloader({
      load: async () => {
        const compiled = compile(await deps.channels.listAll(), this.#keys, deps)
        this.#keys = compiled.keys
        this.#snapshot = compiled.snapshot
      },
      onFailure: (error) =>
        deps.logger.error({ err: error }, 'channels could not be read; routing by what is known'),
    })
    this.#unsubscribe = deps.bus.subscribe('channels-changed', () => this.#reloader.reloadInBackground())
  }

  get snapshot(): ChannelSnapshot {
    return this.#snapshot
  }

  reload(): Promise<void> {
    return this.#reloader.reload()
  }

  settled(): Promise<void> {
    return this.#reloader.settled()
  }

  close(): void {
    this.#unsubscribe()
    this.#reloader.close()
  }
}

function compile(
  stored: readonly Channel[],
  remembered: ReadonlyMap<number, RememberedKeys>,
  deps: DirectoryDependencies,
): { readonly snapshot: ChannelSnapshot; readonly keys: Map<number, RememberedKeys> } {
  const routed: RoutedChannel[] = []
  const unroutable: string[] = []
  const keys = new Map<number, RememberedKeys>()
  for (const channel of stored) {
    const provider = deps.providerFor(channel.type)
    const opened = provider === undefined ? undefined : openKeys(channel, remembered.get(channel.id), deps)
    if (provider === undefined || opened === undefined) {
      unroutable.push(...channel.models)
      continue
    }
    keys.set(channel.id, opened)
    routed.push(
      compileChannel(channel, provider, opened, (error) =>
        deps.logger.warn({ err: error, channelId: channel.id }, 'a field of a channel cannot be read'),
      ),
    )
  }
  return { snapshot: buildSnapshot(routed, unroutable), keys }
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
      keys: splitKeys(deps.vault.open(channel.keysSealed)),
      since: (deps.monotonic ?? monotonicClock).now(),
      sealed: channel.keysSealed,
      baseUrl: channel.baseUrl,
    }
  } catch (error) {
    deps.logger.error(
      { err: error, channelId: channel.id },
      'the keys of a channel cannot be opened; it is not used',
    )
    return undefined
  }
}
