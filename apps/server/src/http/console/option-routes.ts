import { groups, options, type Role, type UserGroups, users } from '@tollgate/api'
import { defaults, formatSetting, isSettingKey, mayWrite } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import { usableGroups } from '../../settings/groups.ts'
import type { Settings, SettingsReader } from '../../settings/settings.ts'
import { type ConsoleRoute, route } from './route.ts'

const ownGroupText = { en: 'Your own group', zh: '用户分组' } as const

/** Options by the roles of the catalogue, and the groups that they define. */
export function optionRoutes({ settings }: { readonly settings: Settings }): ConsoleRoute[] {
  return [
    route(options.list, async (_, { caller }) => ({ data: [...settings.list(caller.role)] })),
    route(options.set, async ({ body }, { caller }) => {
      await setOption(settings, caller.role, body.key, body.value)
      return { data: undefined }
    }),
    route(options.resetModelRatio, async () => {
      await settings.set('ModelRatio', formatSetting('ModelRatio', defaults.ModelRatio))
      return { data: undefined }
    }),
    route(groups.list, async () => ({ data: Object.keys(settings.current.GroupRatio) })),
    route(users.groups, async (_, { caller, language }) => ({
      data: pricedGroups(settings.current, caller.group, ownGroupText[language]),
    })),
  ]
}

async function setOption(
  settings: Settings,
  role: Role,
  key: string,
  value: string | undefined,
): Promise<void> {
  if (!isSettingKey(key)) throw new Refusal('option_unknown', { key })
  if (!mayWrite(role, key)) throw new Refusal('permission_denied')
  await settings.set(key, value)
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
