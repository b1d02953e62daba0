import { systemClock } from '@tollgate/base'
import { createErasure } from '../../accounts/users/leave/erase-account.ts'
import { createErasedList } from '../../accounts/users/leave/erased-list.ts'
import { readConfig } from '../../config.ts'
import { createEventBus } from '../../lib/async/event-bus.ts'
import type { Command } from '../../lib/command-line.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ChangeEvents } from '../../store/change-events.ts'
import { withInstallation } from './installation.ts'
import { userNamed } from './user-named.ts'

export const erase: Command = {
  name: 'erase',
  operands: ['USER'],
  summary: 'erase a deleted account now, before its term ends; there is no way back',
  details: `USER is a name or a number. Name, addresses, identities, keys, log-ins and stored requests go from every table, the audit log and the
usage log; sums and numbers stay, of nobody. DATA_DIR/erased-accounts.json lists it, so that a restored backup does not bring it
back. It works while the gateway runs.`,
  run: ({ operands: [user = ''] }) => {
    const config = readConfig(process.env)
    return withInstallation(config, async (installation) => {
      const { store, auditLog, logger } = installation
      const bus = createEventBus<ChangeEvents>((err) =>
        logger.error(
          { err },
          'a part of Tollgate failed to follow a change: restart the node if what it shows is stale, and report this entry',
        ),
      )
      const erasure = createErasure({ store, auditLog, bus, clock: systemClock })
      const id = await userNamed(installation, user)
      if (!(await erasure.erase(id))) throw new Refusal('user_not_deleted_yet', { id })
      const nowSeconds = () => Math.floor(systemClock.now() / 1000)
      await createErasedList({ store, dataDir: config.dataDir, erasure, logger, nowSeconds }).note()
      process.stdout.write(`Account ${id} is erased.\n`)
      return 0
    })
  },
}
