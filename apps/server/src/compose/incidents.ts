import { listProblemChannels } from '../channels/manage/list-channels.ts'
import { faultOfReason } from '../gateway/relay/faults.ts'
import { modelCosts } from '../models/model-costs.ts'
import { unpricedModels } from '../models/served-models.ts'
import { createIncidents, type Incidents } from '../operations/incidents/manage-incidents.ts'
import { createIncidentWatch } from '../operations/incidents/watch-incidents.ts'
import { incidentJob } from '../operations/jobs/housekeeping-jobs.ts'
import type { Job } from '../operations/jobs/scheduler.ts'
import { flushBeforeReads } from '../records/logs/flush-before-reads.ts'
import { createRefusedModels } from '../records/logs/refused/refused-models.ts'
import { createRefusedUsers } from '../records/logs/refused/refused-users.ts'
import type { AttemptParts } from './attempt-counts.ts'
import type { ChannelParts } from './channels.ts'
import type { AllServices } from './services.ts'

export interface IncidentParts {
  readonly incidents: Incidents
  readonly jobs: readonly Job[]
}

/** More failing channels than these are in no incident. */
const maxChannels = 500

/** Composes the causes of problems: how they are found, and how administrators read and accept them. */
export function composeIncidents(
  base: AllServices,
  { directory, health }: Pick<ChannelParts, 'directory' | 'health'>,
  attempts: Pick<AttemptParts, 'recent'>,
): IncidentParts {
  const { store, ledger, settings, clock } = base
  const { users, channels } = store
  const usage = flushBeforeReads(store.usage, ledger)
  const channelName = (id: number) => directory.snapshot.channel(id)?.name ?? ''
  const listed = { channels, directory, health, ledger, vault: base.vault, recentAttempts: attempts.recent }
  const watch = createIncidentWatch({
    ...base,
    ...store,
    usage,
    problemChannels: () => listProblemChannels(listed, maxChannels),
    unpriced: createRefusedModels({
      usage,
      unpriced: () => unpricedModels(settings.current, directory.snapshot),
      clock,
    }),
    losing: createLosing({ settings, directory }),
    refusedUsers: createRefusedUsers({ usage, users, ledger, clock }).list,
    enabledChannels: () =>
      directory.snapshot.channels
        .filter(({ status }) => status === 'enabled')
        .map(({ id, type, baseUrl }) => ({ id, type, base_url: baseUrl })),
    faultOf: faultOfReason,
    modelsOf: (id) => directory.snapshot.channel(id)?.models,
    isAlone: () => base.fleet.nodes() === 1,
  })
  return { incidents: createIncidents({ ...base, watch, channelName }), jobs: [incidentJob(watch)] }
}

/** Computes prices below cost anew when prices or channels have changed: both are replaced as a whole. */
function createLosing({
  settings,
  directory,
}: Pick<AllServices, 'settings'> & Pick<ChannelParts, 'directory'>) {
  let known: { readonly of: readonly unknown[]; readonly losing: ReturnType<typeof modelCosts> } | undefined
  return () => {
    const of = [settings.current, directory.snapshot]
    if (known === undefined || known.of.some((part, index) => part !== of[index]))
      known = { of, losing: modelCosts(settings.current, directory.snapshot, { losing: true }) }
    return known.losing
  }
}
