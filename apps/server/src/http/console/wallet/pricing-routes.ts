import { calls, endpointPaths, type UserGroups } from '@tollgate/api'
import type { UserDirectory } from '../../../accounts/users/user-directory.ts'
import type { ChannelDirectory } from '../../../channels/routing/routing-types.ts'
import { type PriceListReader, priceList } from '../../../models/price-list.ts'
import { pricedGroups } from '../../../settings/groups.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Caller } from '../../callers/caller.ts'
import { type ConsoleRoute, route } from '../route.ts'

export interface PricingDependencies {
  readonly settings: SettingsReader
  readonly channels: Pick<ChannelDirectory, 'snapshot'>
  readonly users: Pick<UserDirectory, 'find'>
}

const supportedEndpoints = Object.fromEntries(
  Object.entries(endpointPaths).map(([type, path]) => [type, { path, method: 'POST' }]),
)

const ownGroupText = { en: 'Your own group', zh: '用户分组' } as const
const visitorsGroupText = { en: 'Default group', zh: '默认分组' } as const

/** Routes of the prices of models, and of the groups in which the caller may use them. */
export function pricingRoutes({ settings, channels, users }: PricingDependencies): ConsoleRoute[] {
  const { pricing, users: ofUsers } = calls

  async function readerOf(caller: Caller | undefined, groups: UserGroups): Promise<PriceListReader> {
    const user = caller && (await users.find(caller.userId))
    return {
      groups: new Set(Object.keys(groups)),
      seesAllGroups: caller !== undefined && caller.role !== 'common',
      acceptsUnpriced: user?.acceptsUnpricedModels ?? false,
      isVisitor: caller === undefined,
    }
  }

  return [
    route(pricing.list, async (_, { caller, language }) => {
      const text = caller === undefined ? visitorsGroupText : ownGroupText
      const groups = pricedGroups(settings.current, caller?.group, text[language], language)
      const reader = await readerOf(caller, groups)
      return {
        data: [...priceList(settings.current, channels.snapshot, reader)],
        extra: {
          group_ratio: mapGroups(groups, ({ ratio }) => ratio),
          usable_group: mapGroups(groups, ({ desc }) => desc),
          user_group: caller?.group ?? '',
          supported_endpoint: supportedEndpoints,
        },
      }
    }),
    route(ofUsers.groups, (_, { caller, language }) =>
      pricedGroups(settings.current, caller.group, ownGroupText[language], language),
    ),
    route(ofUsers.publicGroups, (_, { language }) =>
      pricedGroups(settings.current, undefined, visitorsGroupText[language], language),
    ),
  ]
}

function mapGroups<Value>(
  groups: UserGroups,
  pick: (group: UserGroups[string]) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, pick(group)]))
}
