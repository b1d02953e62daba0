import { type Consent, calls, type GroupChange } from '@tollgate/api'
import { readGroupUsage } from '../../../records/logs/group-usage.ts'
import { groupsWithoutRatio } from '../../../settings/effective-values.ts'
import { groupFields } from '../../../settings/group-settings.ts'
import type { ManageGroups } from '../../../settings/manage-groups.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type ConsoleRoute, route } from '../route.ts'

type LogDependencies = Parameters<typeof readGroupUsage>[0]

interface Dependencies extends LogDependencies {
  readonly settings: SettingsReader
  readonly manageGroups: ManageGroups
}

/** Groups, each as one thing. */
export function groupRoutes({ settings, manageGroups, ...log }: Dependencies): ConsoleRoute[] {
  const { groups } = calls
  const names = () => Object.keys(settings.current.GroupRatio)
  return [
    route(groups.list, names),
    route(groups.overview, async (_, { caller }) => ({
      data: [...(await manageGroups.list(caller))],
      extra: { writable: [...manageGroups.writableFields(caller)] },
    })),
    route(groups.usage, async () => [...(await readGroupUsage(log, names()))]),
    route(groups.create, ({ body }, { actor }) =>
      manageGroups.create(actor, body.name, settingsIn(body), consentIn(body)),
    ),
    route(groups.update, ({ body }, { actor }) =>
      manageGroups.update(actor, body.name, { fields: settingsIn(body), base: body.base }, consentIn(body)),
    ),
    route(groups.rename, ({ body }, { actor }) =>
      manageGroups.rename(actor, body.name, body.new_name, consentIn(body)),
    ),
    route(groups.remove, async ({ body }, { actor, warn }) => {
      await manageGroups.remove(actor, body.name, consentIn(body))
      warn('groups', groupsWithoutRatio(settings.current))
    }),
  ]
}

function settingsIn(body: GroupChange): GroupChange {
  return Object.fromEntries(
    groupFields.filter((field) => body[field] !== undefined).map((field) => [field, body[field]]),
  )
}

function consentIn({ confirmation, moves }: Consent): Consent {
  return { confirmation, moves }
}
