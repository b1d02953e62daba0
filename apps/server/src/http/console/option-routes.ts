import { groups, options, type UserGroups, users } from '@tollgate/api'
import type { ChangeOptions } from '../../settings/change-options.ts'
import { usableGroups } from '../../settings/groups.ts'
import type { Settings, SettingsReader } from '../../settings/settings.ts'
import { type ConsoleRoute, route } from './route.ts'

const ownGroupText = { en: 'Your own group', zh: '用户分组' } as const

export interface OptionRoutesDependencies {
  readonly settings: Pick<Settings, 'current' | 'list'>
  readonly changeOptions: ChangeOptions
}

/** Options by the roles of the catalogue, and the groups that they define. */
export function optionRoutes({ settings, changeOptions }: OptionRoutesDependencies): ConsoleRoute[] {
  return [
    route(options.list, async (_, { caller }) => ({ data: [...settings.list(caller.role)] })),
    route(options.set, async ({ body }, { actor }) => {
      await changeOptions.change(actor, [body])
      return { data: undefined }
    }),
    route(options.setMany, async ({ body }, { actor }) => {
      await changeOptions.change(actor, body.options)
      return { data: undefined }
    }),
    route(options.resetModelRatio, async (_, { actor }) => {
      await changeOptions.resetModelRatio(actor)
      return { data: undefined }
    }),
    route(groups.list, async () => ({ data: Object.keys(settings.current.GroupRatio) })),
    route(users.groups, async (_, { caller, language }) => ({
      data: pricedGroups(settings.current, caller.group, ownGroupText[language]),
    })),
  ]
}

/** Groups without a ratio are not offered: a call in them would be refused. */
function pricedGroups(values: SettingsReader['current'], group: string, detachedCopy: string): UserGroups {
  const offered: UserGroups = {}
  for (const [name, desc] of usableGroups(values, group, detachedCopy)) {
    const ratio = values.GroupRatio[name]
    if (ratio !== undefined) offered[name] = { ratio, desc }
  }
  return offered
}
