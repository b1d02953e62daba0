import { settingKeys } from '@tollgate/api/settings'
import type { Logger } from '../lib/logger.ts'
import type { ChangeBus } from '../store/change-events.ts'
import type { Store } from '../store/store.ts'
import type { OptionReload } from './option-reload.ts'

/** Time after which a change takes effect. A look costs some microseconds. */
const lookMs = 500

interface Dependencies {
  readonly store: Pick<Store, 'foreignWrites'>
  readonly bus: ChangeBus
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Notices that another process has written the database of this one: a command such as `unlock` or `reset-root`. Nobody says
 * what it changed, so everything in memory is read anew; balances are not, because no command changes them.
 */
export function createForeignWriteWatch({ store, bus, logger }: Dependencies) {
  let known: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let looking: Promise<void> = Promise.resolve()
  let stopped = false

  async function look(settings: OptionReload): Promise<void> {
    const now = await store.foreignWrites()
    if (known !== undefined && now !== known) {
      await settings.reload(settingKeys)
      bus.publish('options-changed', { keys: settingKeys })
      bus.publish('everything-changed', { inBalances: false })
    }
    // Only then: a look that failed is made again.
    known = now
  }

  function next(settings: OptionReload): void {
    if (stopped) return
    timer = setTimeout(() => {
      looking = look(settings)
        .catch((err: unknown) =>
          logger.warn(
            { err },
            'the changes of other processes cannot be read, and are looked for again: check the database',
          ),
        )
        .finally(() => next(settings))
    }, lookMs)
    timer.unref()
  }

  return {
    async start(settings: OptionReload): Promise<void> {
      await look(settings)
      next(settings)
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await looking
    },
  }
}
