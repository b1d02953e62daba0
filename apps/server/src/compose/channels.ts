import { providerLookup } from '@tollgate/providers'
import { ChannelBalances } from '../channels/balance/update-balances.ts'
import { AutoDisableControl } from '../channels/health/auto-disable.ts'
import { createDecisionLog } from '../channels/health/decision-log.ts'
import { type HealthHint, subjectOf } from '../channels/health/health-hint.ts'
import { createHealthRegistry } from '../channels/health/health-registry.ts'
import type { HealthRegistry } from '../channels/health/health-types.ts'
import { healthHints, hearHealthHints } from '../channels/health/hear-health-hints.ts'
import { createOutcomeWriter } from '../channels/health/last-outcomes.ts'
import { runDrains } from '../channels/manage/drain-channel.ts'
import { ManageChannels } from '../channels/manage/manage-channels.ts'
import { runSchedules } from '../channels/manage/schedule-channel.ts'
import { runKeySchedules } from '../channels/manage/schedule-key.ts'
import { ClosableChannelDirectory } from '../channels/routing/channel-directory.ts'
import { auditedRun } from '../channels/testing/audited-run.ts'
import type { ChannelRunControl } from '../channels/testing/channel-runner.ts'
import { createChannelTester } from '../channels/testing/channel-tester.ts'
import { createFleetRun, type FleetRun } from '../channels/testing/fleet-run.ts'
import { createTestAllChannels } from '../channels/testing/test-all-channels.ts'
import { createHintOutbox } from '../fleet/hint-outbox.ts'
import type { ChannelRoutesDependencies } from '../http/console/system/channel-routes.ts'
import { channelJobs } from '../operations/jobs/channel-jobs.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import type { LogSubject } from '../records/logs/event-log.ts'
import type { Upstreams } from '../upstream/upstreams.ts'
import type { AttemptParts } from './attempt-counts.ts'
import type { AllServices } from './services.ts'

export interface ChannelParts {
  readonly directory: ClosableChannelDirectory
  readonly health: HealthRegistry
  readonly control: AutoDisableControl
  readonly routes: Omit<ChannelRoutesDependencies, 'intendedRevert'>
  readonly jobs: readonly Job[]
  /** Ends runs that people started, and writes the last outcomes. */
  close(): Promise<void>
}

/** Channels: routing, health, tests, and the use cases of administrators. */
export async function composeChannels(
  base: AllServices,
  upstreams: Upstreams,
  { recent: recentAttempts }: Pick<AttemptParts, 'recent'>,
): Promise<ChannelParts> {
  const { store, clock: wallClock, outboundGuard: guard, eventLog: events, config, auditLog } = base
  const { messages } = base.fleet
  const { channels } = store
  const providerFor = providerLookup(config.providerOptions)
  const { channelSwitches: switches, channelKeySwitches: keySwitches, users, tasks } = store
  const services = {
    ...base,
    channels,
    switches,
    keySwitches,
    users,
    tasks,
    wallClock,
    guard,
    events,
    providerFor,
    upstreams,
  }
  const directory = new ClosableChannelDirectory(services)
  await directory.reload()
  const decisions = createDecisionLog(services)
  const keyCount = (id: number) => directory.snapshot.channel(id)?.keys.length ?? 1
  const outbox = createHintOutbox<HealthHint>({ messages, type: healthHints })
  const report = (hint: HealthHint) => outbox.put(subjectOf(hint), hint)
  const health = createHealthRegistry({ wallClock, decisions, keyCount, report })
  const stopHearing = hearHealthHints({ messages, health, directory })
  health.restore(await store.channelOutcomes.listAll())
  const writeOutcomes = createOutcomeWriter({ outcomes: store.channelOutcomes, health, directory })
  const control = new AutoDisableControl({ ...services, directory, health, decisions })
  const tester = createChannelTester({ ...services, health })
  const balances = new ChannelBalances({ ...services, directory, control, recentAttempts })
  const runs = fleetRuns(base, {
    tests: createTestAllChannels({ ...services, directory, tester, control, recentAttempts }),
    balances,
  })
  const manage = new ManageChannels({ ...services, directory, health, recentAttempts })
  const jobs = channelJobs({
    ...services,
    directory,
    tester,
    control,
    testAll: runs.tests,
    probeSeconds: config.CHANNEL_PROBE_SECONDS,
    testMinutes: config.CHANNEL_TEST_FREQUENCY,
    balances: runs.balances,
    balanceMinutes: config.CHANNEL_UPDATE_FREQUENCY,
    writeOutcomes,
    async runSchedules(signal) {
      try {
        await runSchedules({ ...services, directory, health }, signal)
      } finally {
        await runKeySchedules({ ...services, directory, health }, signal)
      }
    },
    runDrains: (signal) => runDrains({ ...services, directory }, signal),
  })
  return {
    directory,
    health,
    control,
    routes: {
      ...services,
      ...auditedRuns(runs, auditLog),
      manage,
      health,
      balances,
      directory,
      tester,
      recentAttempts,
      callers: store.attemptCounts.callers,
      groupUsage: store.statistics.groupUsage,
      summaries: channels.listSummaries,
    },
    jobs,
    async close() {
      outbox.close()
      stopHearing()
      await Promise.all([runs.tests.close(), runs.balances.close()])
      await control.settled()
      await writeOutcomes()
      directory.close()
    },
  }
}

interface Runs {
  readonly tests: FleetRun<LogSubject>
  readonly balances: FleetRun<LogSubject>
}

/** Runs that people start: one at a time over all nodes. */
function fleetRuns(
  { node, store, fleet, logger }: AllServices,
  { tests, balances }: Readonly<Record<keyof Runs, ChannelRunControl<LogSubject>>>,
): Runs {
  const shared = { node, leases: store.leases, messages: fleet.messages, logger }
  return {
    tests: createFleetRun(tests, { ...shared, name: 'run-of-tests', busy: 'channel_test_running' }),
    balances: createFleetRun(balances, {
      ...shared,
      name: 'run-of-balances',
      busy: 'channel_balances_running',
    }),
  }
}

function auditedRuns({ tests, balances }: Runs, auditLog: AllServices['auditLog']) {
  return {
    testRun: auditedRun(tests, auditLog, { start: 'channel.test-all', cancel: 'channel.cancel-test-all' }),
    balanceRun: auditedRun(balances, auditLog, {
      start: 'channel.update-all-balances',
      cancel: 'channel.cancel-update-all-balances',
    }),
  }
}
