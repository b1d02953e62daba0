import { unixSeconds } from '@tollgate/base'
import { modelsOfGroups } from '../channels/manage/model-lists.ts'
import type { ClientAddresses } from '../http/client-address.ts'
import { channelRoutes } from '../http/console/channel-routes.ts'
import type { Guard } from '../http/console/guard.ts'
import { logRoutes } from '../http/console/log-routes.ts'
import { createConsoleApp } from '../http/console/mount.ts'
import { openApiRoutes } from '../http/console/open-api-routes.ts'
import { optionRoutes } from '../http/console/option-routes.ts'
import { createRateLimits } from '../http/console/rate-limits.ts'
import type { ConsoleRoute } from '../http/console/route.ts'
import { setupRoutes } from '../http/console/setup-routes.ts'
import { statusRoutes } from '../http/console/status-routes.ts'
import { tokenRoutes } from '../http/console/token-routes.ts'
import { userRoutes } from '../http/console/user-routes.ts'
import { caughtUp } from '../logs/caught-up-usage.ts'
import { createUsageLog } from '../logs/usage-log.ts'
import { usableGroups } from '../settings/groups.ts'
import { createTokens } from '../tokens/tokens.ts'
import type { ChannelParts } from './channels.ts'
import type { Foundation } from './foundation.ts'

export interface ConsoleEdge {
  readonly guard: Guard
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly admits: () => boolean
}

function consoleRoutes(base: Foundation, channels: ChannelParts): ConsoleRoute[] {
  const { store, settings, ledger, users, clock, vault, bus } = base
  const { directory } = channels
  const channelName = (id: number) => directory.snapshot.channel(id)?.name ?? ''
  const modelsOf = (group: string) =>
    modelsOfGroups(directory.snapshot, usableGroups(settings.current, group, '').keys())
  return [
    ...openApiRoutes({ version: base.version }),
    ...setupRoutes({ setup: users.setup }),
    ...statusRoutes({
      settings,
      version: base.version,
      startedAt: unixSeconds(clock),
      isSetUp: users.setup.isDone,
      ping: () => store.ping(),
    }),
    ...userRoutes({ users, ledger, modelsOf }),
    ...optionRoutes({ settings }),
    ...channelRoutes(channels.routes),
    ...tokenRoutes({ tokens: createTokens({ store, ledger, settings, events: bus, vault, clock }) }),
    ...logRoutes({
      usageLog: createUsageLog({
        usage: caughtUp(store.usage, ledger),
        users: store.users,
        channelName,
        clock,
      }),
    }),
  ]
}

/** Every call of the console, behind its guard and limits. */
export function composeConsole(base: Foundation, channels: ChannelParts, edge: ConsoleEdge) {
  return createConsoleApp({
    routes: consoleRoutes(base, channels),
    limits: createRateLimits(base.config),
    logger: base.logger,
    ...edge,
  })
}
