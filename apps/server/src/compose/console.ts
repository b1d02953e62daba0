import { monotonicClock, secondsOf, unixSeconds } from '@tollgate/base'
import { createSendTestMail } from '../accounts/mail/test-mail.ts'
import { createFindKey } from '../accounts/tokens/find-key.ts'
import { createFreezeKey } from '../accounts/tokens/freeze-key.ts'
import { createLeakReports } from '../accounts/tokens/leak-reports.ts'
import { createRotateKey } from '../accounts/tokens/rotate-key.ts'
import { createForgottenWatch } from '../accounts/users/login/guesses/forgotten-attempts.ts'
import { createKnownDevices } from '../accounts/users/login/guesses/known-devices.ts'
import { createSignInParts } from '../accounts/users/login/identity-providers/create-sign-in-parts.ts'
import { createPasswords } from '../accounts/users/login/passwords.ts'
import { createResetSecondFactor } from '../accounts/users/login/second-factor.ts'
import { createSecurityEventPages } from '../accounts/users/login/security-event-pages.ts'
import { createInviting } from '../accounts/users/manage/invite.ts'
import { createManyUsers } from '../accounts/users/manage/many-users.ts'
import { createRecipientLimit } from '../accounts/users/recipient-limit.ts'
import type { Corrections } from '../billing/corrections/corrections.ts'
import { createTokenCounting } from '../billing/tokenizer/token-counting.ts'
import { modelsOfGroups } from '../channels/manage/fetch-models.ts'
import { createRenameModel } from '../channels/manage/rename-model.ts'
import { createRouteSimulator } from '../channels/simulate/route-simulator.ts'
import type { FailedCalls } from '../gateway/failed-calls/failed-calls.ts'
import { imageAddressesOf } from '../gateway/tasks/midjourney/midjourney-object.ts'
import { createTaskLists } from '../gateway/tasks/task-lists.ts'
import type { Guard } from '../http/callers/guard.ts'
import type { ClientAddresses } from '../http/client-address.ts'
import {
  ownerRoutes,
  sessionRoutes,
  setupRoutes,
  userRoutes,
  visitorRoutes,
} from '../http/console/accounts/account-routes.ts'
import { activityRoutes } from '../http/console/accounts/activity-routes.ts'
import { invitationRoutes } from '../http/console/accounts/invitation-routes.ts'
import { keyRoutes, leakReportRoutes } from '../http/console/accounts/key-routes.ts'
import { oauthRoutes } from '../http/console/accounts/oauth-routes.ts'
import { ownOverviewRoutes } from '../http/console/accounts/own-overview-routes.ts'
import { passkeyRoutes } from '../http/console/accounts/passkey-routes.ts'
import { proofRoutes } from '../http/console/accounts/proof-routes.ts'
import { secondFactorRoutes } from '../http/console/accounts/second-factor-routes.ts'
import { securityRoutes } from '../http/console/accounts/security-routes.ts'
import { tokenRoutes } from '../http/console/accounts/token-routes.ts'
import { userAdminRoutes } from '../http/console/accounts/user-admin-routes.ts'
import { createConsoleApp } from '../http/console/console-app.ts'
import { createIgnoredReports } from '../http/console/ignored/ignored-reports.ts'
import { createCriticalLimit } from '../http/console/limits/critical-limit.ts'
import { createRateLimits } from '../http/console/limits/rate-limits.ts'
import type { ConsoleRoute } from '../http/console/route.ts'
import { auditLogRoutes } from '../http/console/system/audit-log-routes.ts'
import { channelRoutes } from '../http/console/system/channel-routes.ts'
import { dataRoutes } from '../http/console/system/data-routes.ts'
import { groupRoutes } from '../http/console/system/group-routes.ts'
import { incidentRoutes } from '../http/console/system/incident-routes.ts'
import { installationRoutes } from '../http/console/system/installation-routes.ts'
import { logRoutes } from '../http/console/system/log-routes.ts'
import { nodeRoutes } from '../http/console/system/node-routes.ts'
import { openApiRoutes } from '../http/console/system/open-api-routes.ts'
import { optionRoutes } from '../http/console/system/option-routes.ts'
import { routePreviewRoutes } from '../http/console/system/route-preview-routes.ts'
import { statusRoutes } from '../http/console/system/status-routes.ts'
import { taskRoutes } from '../http/console/system/task-routes.ts'
import { correctionRoutes } from '../http/console/wallet/correction-routes.ts'
import { modelPriceRoutes } from '../http/console/wallet/model-price-routes.ts'
import { createPriceReader } from '../http/console/wallet/price-reader.ts'
import { pricingRoutes } from '../http/console/wallet/pricing-routes.ts'
import { chatFirst } from '../models/chat-models.ts'
import { modelCosts } from '../models/model-costs.ts'
import { servedOf, unpricedModels } from '../models/served-models.ts'
import { createStreamExport } from '../operations/backup/export/stream-export.ts'
import { type ThreadedExports, threadedExports } from '../operations/exports/threaded-exports.ts'
import { createIntendedRevert } from '../operations/undo/intended-revert.ts'
import { createRevert } from '../operations/undo/revert.ts'
import { LogClearer } from '../records/logs/clear-log.ts'
import { flushBeforeReads } from '../records/logs/flush-before-reads.ts'
import { createLogOverview } from '../records/logs/log-overview.ts'
import { createRefusedModels } from '../records/logs/refused/refused-models.ts'
import { createRefusedUsers } from '../records/logs/refused/refused-users.ts'
import { createUsageLog } from '../records/logs/usage-log.ts'
import { withCorrections } from '../records/logs/with-corrections.ts'
import { createChangeOptions } from '../settings/change-options.ts'
import { usableGroups } from '../settings/groups.ts'
import { createManageGroups } from '../settings/manage-groups.ts'
import { createReleaseCheck } from '../settings/release-check.ts'
import { createActivity } from '../telemetry/statistics/activity.ts'
import { createMargins } from '../telemetry/statistics/margin.ts'
import { createModelPerformance } from '../telemetry/statistics/model-performance.ts'
import { createSpend } from '../telemetry/statistics/spend.ts'
import { createUsageData } from '../telemetry/statistics/usage-data.ts'
import { createUsageSummaries } from '../telemetry/statistics/usage-summary.ts'
import type { AttemptParts } from './attempt-counts.ts'
import type { ChannelParts } from './channels.ts'
import type { IncidentParts } from './incidents.ts'
import type { AllServices } from './services.ts'
import { composeStatusPage } from './status-page.ts'
import type { TaskParts } from './tasks.ts'
import { composeWallet } from './wallet.ts'

export interface ConsoleEdge {
  readonly guard: Guard
  readonly addresses: ClientAddresses
  readonly nextRequestId: () => string
  readonly node: { readonly isOpen: boolean }
}

/** A person who compares prices counts a few texts in a row. */
const priceCountingIdleMs = 60_000

export interface ConsoleParts {
  readonly channels: ChannelParts
  readonly attempts: Pick<AttemptParts, 'write'>
  readonly tasks: Pick<TaskParts, 'contents'>
  readonly failedCalls: Pick<FailedCalls, 'find'>
  readonly corrections: Corrections
  readonly incidents: IncidentParts['incidents']
}

interface MadeParts {
  readonly files: ThreadedExports
}

function consoleRoutes(
  base: AllServices,
  { channels, attempts, tasks, failedCalls, corrections, incidents, files }: ConsoleParts & MadeParts,
  { addresses }: ConsoleEdge,
): ConsoleRoute[] {
  const { store, settings, ledger, users, tokens, clock } = base
  const { directory } = channels
  const channelName = (id: number) => directory.snapshot.channel(id)?.name ?? ''
  const freezeKey = createFreezeKey(base)
  const findKey = createFindKey({ ...base, addresses: base.keyAddresses })
  const changeOptions = createChangeOptions({ settings, auditLog: base.auditLog })
  const manageGroups = createManageGroups({ store, settings, changeOptions })
  const manyUsers = createManyUsers(base)
  const logs = composeLogs(base, channelName, files)
  const refusedUsers = createRefusedUsers({ ...logs, users: store.users, ledger, clock })
  const modelsOf = async (
    { userId, group }: { readonly userId: number; readonly group: string },
    only?: string,
  ) => {
    const user = await users.directory.find(userId)
    const usable = [...usableGroups(settings.current, group, '', 'en').keys()]
    const groups = usable.filter((each) => only === undefined || each === only)
    const { snapshot } = directory
    const models = modelsOfGroups(snapshot, groups)
    const served = servedOf(models, settings.current, snapshot, user?.acceptsUnpricedModels ?? false)
    return chatFirst(served, settings.current, snapshot)
  }
  const wallet = composeWallet({ ...base, orderFile: files.orderFile })
  const readerOf = createPriceReader({ settings, users: users.directory })
  const statusPage = composeStatusPage(base, channels, attempts.write, readerOf)
  return [
    ...openApiRoutes({ version: base.version }),
    ...setupRoutes(users),
    ...statusRoutes({
      settings,
      version: base.version,
      startedAt: base.machine?.seat.startedAt ?? unixSeconds(clock),
      isSetUp: users.setup.isDone,
      ping: () => store.ping(),
      releaseCheck: createReleaseCheck({ settings, clock: monotonicClock, version: base.version }),
    }),
    ...userRoutes({ ...base, modelsOf }),
    ...visitorRoutes(users),
    ...ownerRoutes(users),
    ...signInRoutes(base, files),
    ...userAdminRoutes({ ...base, ...files, passwords: createPasswords(), manyUsers }),
    ...invitationRoutes({
      inviting: createInviting({
        ...base,
        credentials: users.credentials,
        passwords: createPasswords(),
        limit: createRecipientLimit('invitation', base),
      }),
    }),
    ...auditLogRoutes({
      store,
      revert: createRevert({
        store,
        options: changeOptions,
        channels: channels.routes.manage,
        groups: manageGroups,
        manyUsers,
        freezeKey,
        publicIncidents: statusPage.publicIncidents,
        ...wallet,
      }),
    }),
    ...incidentRoutes({ incidents }),
    ...statusPage.routes,
    ...nodeRoutes(base),
    ...installationRoutes({ streamExport: composeExport(base, files) }),
    ...routePreviewRoutes({
      simulator: createRouteSimulator({
        ...store,
        directory,
        health: channels.health,
        settings,
        costs: () => modelCosts(settings.current, directory.snapshot, {}),
        async observe(since) {
          await attempts.write()
          return store.attemptCounts.observations(since)
        },
        isServed: (model) => servedOf([model], settings.current, directory.snapshot, false).length > 0,
        clock,
      }),
    }),
    ...pricingRoutes({
      settings,
      channels: directory,
      readerOf,
      performance: createModelPerformance({ ...store, writeAttempts: attempts.write, clock }),
      counting: createTokenCounting({ logger: base.logger, idleMs: priceCountingIdleMs }),
      clock,
    }),
    ...modelPriceRoutes({
      settings,
      channels: directory,
      changeOptions,
      renameModel: createRenameModel(base),
      refusedModels: createRefusedModels({
        ...logs,
        unpriced: () => unpricedModels(settings.current, directory.snapshot),
        clock,
      }),
    }),
    ...correctionRoutes({ corrections }),
    ...optionRoutes({
      settings,
      changeOptions,
      mailer: base.mailer,
      sendTestMail: createSendTestMail(base),
    }),
    ...groupRoutes({ settings, manageGroups, usage: logs.usage, clock }),
    ...channelRoutes({
      ...channels.routes,
      intendedRevert: createIntendedRevert({ store, settings, channels: channels.routes.manage }),
    }),
    ...wallet.routes,
    ...tokenRoutes({ tokens, settings, rotateKey: createRotateKey(base) }),
    ...keyRoutes({ findKey, freezeKey }),
    ...leakReportRoutes(createLeakReports({ settings, findKey, freezeKey })),
    ...activityRoutes({
      activity: createActivity({ ...store, ledger, writeAttempts: attempts.write, clock }),
      tokens,
      users: base,
    }),
    ...ownOverviewRoutes({ users, tokens, ledger, addresses, store, clock, refusedUsers }),
    ...logRoutes({ ...logs, failedCalls, settings, clock }),
    ...dataRoutes({
      spend: createSpend({ ...store, ...files, ledger, settings, clock }),
      usageData: createUsageData({ statistics: store.statistics, ledger, users: store.users, clock }),
      summaries: createUsageSummaries({
        ...store,
        ledger,
        writeAttempts: attempts.write,
        channelName,
        losing: () => modelCosts(settings.current, directory.snapshot, { losing: true }),
        refusedUsers: refusedUsers.list,
        clock,
      }),
      margins: createMargins({ ...store, ledger, channelName, clock }),
      costs: (query) => modelCosts(settings.current, channels.directory.snapshot, query),
      clock,
    }),
    ...taskRoutes({
      taskLists: createTaskLists({
        ...store,
        pictures: imageAddressesOf(settings),
        isPublic: tasks.contents.isPublic,
      }),
    }),
  ]
}

function composeLogs(base: AllServices, channelName: (id: number) => string, { logExport }: ThreadedExports) {
  const { store, ledger, clock, auditLog, settings } = base
  const usage = flushBeforeReads(store.usage, ledger)
  const { users } = store
  return {
    usage,
    usageLog: withCorrections(
      createUsageLog({ usage, users, channelName, clock, settings }),
      store.corrections,
      store.goodwill,
    ),
    logOverview: createLogOverview({ usage, users, channelName, clock }),
    logExport,
    clearer: new LogClearer({ ...base, usage, leases: store.leases, messages: base.fleet.messages }),
    auditLog,
  }
}

function composeExport({ config, ...base }: AllServices, { installationFile }: ThreadedExports) {
  const { DATABASE_URL: databaseUrl, dataDir } = config
  return createStreamExport({ ...base, databaseUrl, dataDir, installationFile })
}

function signInRoutes(base: AllServices, files: ThreadedExports): ConsoleRoute[] {
  const { settings, users } = base
  const parts = createSignInParts({
    ...base,
    credentials: users.credentials,
    openLogin: users.loginFlow.open,
    emailCodes: users.emailCodes,
  })
  return [
    ...oauthRoutes({ settings, users, ...parts }),
    ...secondFactorRoutes({ users, resetSecondFactor: createResetSecondFactor(base) }),
    ...passkeyRoutes({ users, settings, bindings: parts.bindings }),
    ...proofRoutes({ users, settings, ...parts }),
    ...sessionRoutes(base),
    ...securityRoutes({
      ...base,
      pages: { ...createSecurityEventPages(base), export: files.securityEvents },
    }),
  ]
}

/** Every call of the console, behind its guard and limits. */
export function composeConsole(base: AllServices, parts: ConsoleParts, edge: ConsoleEdge) {
  const { config, clock, store } = base
  const limits = createRateLimits(config, monotonicClock, base.sharedCounts)
  return createConsoleApp({
    routes: consoleRoutes(base, { ...parts, files: threadedExports(base, parts.channels.directory) }, edge),
    limits,
    critical: createCriticalLimit({
      own: limits.critical,
      tries: store.oneTimeSecrets,
      config,
      clock,
      isForgotten: createForgottenWatch(store),
    }),
    devices: createKnownDevices(base),
    alerts: base.alerts,
    auditLog: base.auditLog,
    nowSeconds: secondsOf(base.clock),
    ignored: createIgnoredReports(base.logger, monotonicClock),
    logger: base.logger,
    ...edge,
  })
}
