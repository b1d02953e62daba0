import { providerLookup } from '@tollgate/providers'
import { type ChannelBalances, createChannelBalances } from '../channels/balance/update-balances.ts'
import { type AutoDisableControl, createAutoDisable } from '../channels/health/auto-disable.ts'
import { createDecisionLog } from '../channels/health/decision-log.ts'
import { type HealthHint, subjectOf } from '../channels/health/health-hint.ts'
import { createHealthRegistry } from '../channels/health/health-registry.ts'
import type { HealthBook } from '../channels/health/health-types.ts'
import { healthHints, hearHealthHints } from '../channels/health/hear-health-hints.ts'
import { createOutcomeWriter } from '../channels/health/last-outcomes.ts'
import { createManageChannels } from '../channels/manage/manage-channels.ts'
import {
  type ClosableChannelDirectory,
  createChannelDirectory,
} from '../channels/routing/channel-directory.ts'
import { auditedRun } from '../channels/testing/audited-run.ts'
import { createChannelTester } from '../channels/testing/channel-tester.ts'
import { createTestAllChannels, type TestAllChannels } from '../channels/testing/test-all-channels.ts'
import { createHintOutbox } from '../fleet/hint-outbox.ts'
import type { ChannelRoutesDependencies } from '../http/console/system/channel-routes.ts'
import { channelJobs } from '../jobs/channel-jobs.ts'
import type { Job } from '../jobs/scheduler.ts'
import { KeyedMutex } from '../lib/async/mutex.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import type { AllServices } from './services.ts'

export interface ChannelParts {
  readonly directory: ClosableChannelDirectory
  readonly health: HealthBook
  readonly control: AutoDisableControl
  readonly routes: ChannelRoutesDependencies
  readonly jobs: readonly Job[]
  /** Ends runs that people started, and writes the last outcomes. */
  close(): Promise<void>
}

/** Channels: routing, health, tests, and the use cases of administrators. */
export async function composeChannels(base: AllServices, upstreams: Upstreams): Promise<ChannelParts> {
  const {
    store,
    vault,
    logger,
    bus,
    clock: wallClock,
    settings,
    ledger,
    eventLog,
    outboundGuard: guard,
    config,
    auditLog,
    fleet: { messages },
  } = base
  const { channels } = store
  const providerFor = providerLookup(config.providerOptions)
  const directory = createChannelDirectory({ channels, vault, logger, bus, providerFor })
  await directory.reload()
  const decisions = createDecisionLog({ wallClock, logger })
  const keyCount = (id: number) => directory.snapshot.channel(id)?.keys.length ?? 1
  const outbox = createHintOutbox<HealthHint>({ messages, type: healthHints })
  const report = (hint: HealthHint) => outbox.put(subjectOf(hint), hint)
  const health = createHealthRegistry({ wallClock, decisions, keyCount, report })
  const stopHearing = hearHealthHints({ messages, health, directory })
  health.restore(await store.channelOutcomes.listAll())
  const writeOutcomes = createOutcomeWriter({ outcomes: store.channelOutcomes, health, directory })
  const locks = new KeyedMutex<number>()
  const control = createAutoDisable({
    channels,
    directory,
    health,
    settings,
    locks,
    decisions,
    bus,
    wallClock,
    logger,
  })
  const tester = createChannelTester({ channels, health, upstreams, wallClock })
  const testAll = createTestAllChannels({
    directory,
    tester,
    control,
    settings,
    events: eventLog,
    bus,
    wallClock,
    logger,
  })
  const balances = createChannelBalances({
    upstreams,
    wallClock,
    channels,
    directory,
    control,
    settings,
    providerFor,
    auditLog,
    logger,
  })
  const manage = createManageChannels({
    store,
    auditLog,
    channels,
    vault,
    directory,
    health,
    ledger,
    guard,
    locks,
    bus,
    wallClock,
    providerFor,
  })
  const jobs = channelJobs({
    directory,
    tester,
    control,
    settings,
    testAll,
    probeSeconds: config.CHANNEL_PROBE_SECONDS,
    testMinutes: config.CHANNEL_TEST_FREQUENCY,
    balances,
    balanceMinutes: config.CHANNEL_UPDATE_FREQUENCY,
    writeOutcomes,
  })
  return {
    directory,
    health,
    control,
    routes: {
      manage,
      ...runsOf(testAll, balances, auditLog),
      balances,
      channels,
      directory,
      tester,
      events: eventLog,
      auditLog,
      upstreams,
      providerFor,
    },
    jobs,
    async close() {
      outbox.close()
      stopHearing()
      await Promise.all([testAll.cancel(), balances.cancel()])
      await control.settled()
      await writeOutcomes()
      directory.close()
    },
  }
}

function runsOf(tests: TestAllChannels, balances: ChannelBalances, auditLog: AllServices['auditLog']) {
  return {
    testRun: auditedRun(tests, auditLog, { start: 'channel.test-all', cancel: 'channel.cancel-test-all' }),
    balanceRun: auditedRun(balances, auditLog, {
      start: 'channel.update-all-balances',
      cancel: 'channel.cancel-update-all-balances',
    }),
  }
}
