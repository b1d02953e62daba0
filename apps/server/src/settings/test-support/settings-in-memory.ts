import { createEventBus } from '../../lib/async/event-bus.ts'
import { createVault } from '../../lib/crypto.ts'
import { createLogger } from '../../lib/logger.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import type { Store } from '../../store/store.ts'
import { createSettings } from '../create-settings.ts'
import type { Settings } from '../settings.ts'
import { optionsInMemory } from './options-in-memory.ts'

/** Real settings over options in memory. */
export function settingsInMemory(
  stored: Readonly<Record<string, string>> = {},
  store?: Pick<Store, 'transaction'>,
): Promise<Settings> {
  return createSettings({
    options: optionsInMemory(stored, store),
    vault: createVault('a master key for tests, long enough to be one'),
    bus: createEventBus<ChangeEvents>((error) => {
      throw error
    }),
    logger: createLogger('silent'),
  })
}
