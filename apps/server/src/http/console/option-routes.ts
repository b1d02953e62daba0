import { groups, options, type Role } from '@tollgate/api'
import { defaults, formatSetting, isSettingKey, mayWrite } from '@tollgate/api/settings'
import { Refusal } from '../../lib/refusal.ts'
import type { Settings } from '../../settings/settings.ts'
import { type ConsoleRoute, route } from './route.ts'

/** Options by the roles of the catalogue, and the groups that they name. */
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
