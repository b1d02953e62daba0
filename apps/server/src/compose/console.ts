import { monotonicClock, unixSeconds } from '@tollgate/base'
import { modelsOfGroups } from '../channels/manage/model-lists.ts'
import { createUsageData } from '../figures/usage-data.ts'
import { createUsageSummaries } from '../figures/usage-summary.ts'
import type { ClientAddresses } from '../http/client-address.ts'
import { accountRoutes } from '../http/console/account-routes.ts'
import { auditLogRoutes } from '../http/console/audit-log-routes.ts'
import { channelRoutes } from '../http/console/channel-routes.ts'
import { dataRoutes } from '../http/console/data-routes.ts'
import type { Guard } from '../http/console/guard.ts'
import { logRoutes } from '../http/console/log-routes.ts'
import { createConsoleApp } from '../http/console/mount.ts'
import { oauthRoutes } from '../http/console/oauth-routes.ts'
import { openApiRoutes } from '../http/console/open-api-routes.ts'
import { optionRoutes } from '../http/console/option-routes.ts'
import { ownOverviewRoutes } from '../http/console/own-overview-routes.ts'
import { passkeyRoutes } from '../http/console/passkey-routes.ts'
import { pricingRoutes } from '../http/console/pricing-routes.ts'
import { proofRoutes } from '../http/console/proof-routes.ts'
import { createRateLimits } from '../http/console/rate-limits.ts'
import type { ConsoleRoute } from '../http/console/route.ts'
import { secondFactorRoutes } from '../http/console/second-factor-routes.ts'
import { sessionRoutes } from '../http/console/session-routes.ts'
import { setupRoutes } from '../http/console/setup-routes.ts'
import { statusRoutes } from '../http/console/status-routes.ts'
import { taskRoutes } from '../http/console/task-routes.ts'
import { tokenRoutes } from '../http/console/token-routes.ts'
import { userAdminRoutes } from '../http/console/user-admin-routes.ts'
import { userRoutes } from '../http/console/user-routes.ts'
import { caughtUp } from '../logs/caught-up-usage.ts'
import { createLogClearer } from '../logs/clear-log.ts'
import { createLogExport } from '../logs/export-log.ts'
import { createUsageLog } from '../logs/usage-log.ts'
import { createSendTestMail } from '../mail/test-mail.ts'
import { createReleaseCheck } from '../release/release-check.ts'
import { createChangeOptions } from '../settings/change-options.ts'
import { usableGroups } from '../settings/groups.ts'
import { createSignInParts } from '../sign-in/create-sign-in-parts.ts'
import { picturesOf } from '../tasks/drawing/drawing-object.ts'
import { createTaskLists } from '../tasks/task-lists.ts'
import { createPasswords } from '../users/passwords.ts'
import { createResetSecondFactor } from '../users/reset-second-factor.ts'
import type { ChannelParts } from './channels.ts'
import type { Foundation } from './foundation.ts'
import { composeWallet } from './wallet.ts'

export interface ConsoleEdge {
  readonly guard: Guard
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly admits: () => boolean
}

function consoleRoutes(base: Foundation, channels: ChannelParts, { addresses }: ConsoleEdge): ConsoleRoute[] {
  const { store, settings, ledger, users, tokens, clock } = base
  const { directory } = channels
  const channelName = (id: number) => directory.snapshot.channel(id)?.name ?? ''
  const modelsOf = (group: string) =>
    modelsOfGroups(directory.snapshot, usableGroups(settings.current, group, '', 'en').keys())
  return [
    ...openApiRoutes({ version: base.version }),
    ...setupRoutes(users),
    ...statusRoutes({
      settings,
      version: base.version,
      startedAt: unixSeconds(clock),
      isSetUp: users.setup.isDone,
      ping: () => store.ping(),
      releaseCheck: createReleaseCheck({ settings, clock: monotonicClock }),
    }),
    ...userRoutes({ users, checkHuman: base.selfService.checkHuman, ledger, modelsOf }),
    ...accountRoutes(base),
    ...signInRoutes(base),
    ...userAdminRoutes({ ...base, eventLog: base.events, passwords: createPasswords() }),
    ...auditLogRoutes({ store }),
    ...pricingRoutes({ settings, channels: directory, users: users.directory }),
    ...optionRoutes({
      settings,
      changeOptions: createChangeOptions({ settings, auditLog: base.auditLog }),
      mailer: base.mailer,
      sendTestMail: createSendTestMail(base),
    }),
    ...channelRoutes(channels.routes),
    ...composeWallet(base),
    ...tokenRoutes({ tokens, settings }),
    ...ownOverviewRoutes({ users, tokens, ledger, addresses }),
    ...logRoutes(composeLogs(base, channelName)),
    ...dataRoutes({
      usageData: createUsageData({ figures: store.figures, ledger, users: store.users, clock }),
      summaries: createUsageSummaries({ figures: store.figures, ledger, channelName, clock }),
    }),
    ...taskRoutes({ taskLists: createTaskLists(store.tasks, picturesOf(settings)) }),
  ]
}

function composeLogs({ store, ledger, clock, auditLog }: Foundation, channelName: (id: number) => string) {
  const usage = caughtUp(store.usage, ledger)
  const { users } = store
  return {
    usageLog: createUsageLog({ usage, users, channelName, clock }),
    logExport: createLogExport({ usage, users, channelName }),
    clearer: createLogClearer({ usage, auditLog, clock }),
    auditLog,
  }
}

function signInRoutes(base: Foundation): ConsoleRoute[] {
  const { settings, users } = base
  const parts = createSignInParts({
    ...base,
    openLogin: users.loginSteps.open,
    emailCodes: base.selfService.emailCodes,
  })
  return [
    ...oauthRoutes({ settings, ...parts }),
    ...secondFactorRoutes({ users, resetSecondFactor: createResetSecondFactor(base) }),
    ...passkeyRoutes({ users, settings, bindings: parts.bindings }),
    ...proofRoutes({ users, settings, ...parts }),
    ...sessionRoutes(users),
  ]
}

/** Every call of the console, behind its guard and limits. */
export function composeConsole(base: Foundation, channels: ChannelParts, edge: ConsoleEdge) {
  return createConsoleApp({
    routes: consoleRoutes(base, channels, edge),
    limits: createRateLimits(base.config),
    notices: base.notices,
    nowSeconds: () => unixSeconds(base.clock),
    logger: base.logger,
    ...edge,
  })
}
