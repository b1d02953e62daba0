import type { Clock } from '@tollgate/base'
import type { Provider } from '@tollgate/providers'
import type { Vault } from '../../lib/crypto.ts'
import type { Logger } from '../../lib/logger.ts'
import type { ChangeBus } from '../../store/change-events.ts'
import type { Channel } from '../../store/entities.ts'
import type { ChannelRepository } from '../../store/store.ts'
import { splitKeys } from '../manage/channel-keys.ts'
import { buildSnapshot, emptySnapshot } from './channel-snapshot.ts'
import { compileChannel, type OpenedKeys } from './compile-channel.ts'
import type { ChannelDirectory, ChannelSnapshot, RoutedChannel } from './routing-types.ts'

interface DirectoryDependencies {
  readonly channels: Pick<ChannelRepository, 'listAll'>
  readonly vault: Pick<Vault, 'open'>
  readonly logger: Pick<Logger, 'warn' | 'error'>
  readonly bus: ChangeBus
  readonly clock: Clock
  readonly providerFor: (type: number) => Provider | undefined
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

const firstRetryMs = 1_000
const longestRetryMs = 30_000

/**
 * Holds all channels ready for routing. One reload runs at a time; whoever asks while one runs shares the next,
 * so that a burst of changes costs two reloads. A failed reload keeps what was known and is tried again.
 */
export function createChannelDirectory(deps: DirectoryDependencies): ClosableChannelDirectory {
  let snapshot = emptySnapshot
  let remembered = new Map<number, RememberedKeys>()
  let running: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let retryMs = firstRetryMs
  let closed = false

  async function load(): Promise<void> {
    const compiled = compile(await deps.channels.listAll(), remembered, deps)
    remembered = compiled.keys
    snapshot = compiled.snapshot
    retryMs = firstRetryMs
  }

  function reload(): Promise<void> {
    if (running === undefined) {
      running = load().finally(() => {
        running = undefined
      })
      return running
    }
    queued ??= running
      .catch(() => undefined)
      .then(() => {
        queued = undefined
        return reload()
      })
    return queued
  }

  function reloadInBackground(): void {
    reload().catch((error: unknown) => {
      deps.logger.error({ err: error }, 'channels could not be read; routing by what is known')
      if (closed || retry !== undefined) return
      retry = setTimeout(() => {
        retry = undefined
        reloadInBackground()
      }, retryMs)
      retry.unref()
      retryMs = Math.min(retryMs * 2, longestRetryMs)
    })
  }

  const unsubscribe = deps.bus.subscribe('channels-changed', reloadInBackground)

  return {
    get snapshot() {
      return snapshot
    },
    reload,
    settled: () => (queued ?? running ?? Promise.resolve()).catch(() => undefined),
    close() {
      closed = true
      unsubscribe()
      clearTimeout(retry)
    },
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

/** Opens keys only when they are new: unsealing every key on every change would stall calls. */
function openKeys(
  channel: Channel,
  known: RememberedKeys | undefined,
  deps: DirectoryDependencies,
): RememberedKeys | undefined {
  if (known?.sealed === channel.keysSealed && known.baseUrl === channel.baseUrl) return known
  try {
    return {
      keys: splitKeys(deps.vault.open(channel.keysSealed)),
      since: deps.clock.now(),
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
