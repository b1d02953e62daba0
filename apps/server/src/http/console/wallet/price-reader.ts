import type { Language, UserGroups } from '@tollgate/api'
import type { UserDirectory } from '../../../accounts/users/user-directory.ts'
import type { PriceListReader } from '../../../models/price-list.ts'
import { pricedGroups } from '../../../settings/groups.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Caller } from '../../callers/caller.ts'

interface Dependencies {
  readonly settings: SettingsReader
  readonly users: Pick<UserDirectory, 'find'>
}

/** Somebody who reads prices, and their groups with ratio and description. */
export interface ReaderOfPrices {
  readonly reader: PriceListReader
  readonly groups: UserGroups
}

/** Finds out which models a caller sees: those of the price list, and of whatever follows it. */
export function createPriceReader({ settings, users }: Dependencies) {
  /** @param ownGroupText description of the caller's own group */
  return async (
    caller: Caller | undefined,
    language: Language,
    ownGroupText = '',
  ): Promise<ReaderOfPrices> => {
    const groups = pricedGroups(settings.current, caller?.group, ownGroupText, language)
    const user = caller && (await users.find(caller.userId))
    const reader = {
      groups: new Set(Object.keys(groups)),
      seesAllGroups: caller !== undefined && caller.role !== 'common',
      acceptsUnpriced: user?.acceptsUnpricedModels ?? false,
      isVisitor: caller === undefined,
    }
    return { reader, groups }
  }
}
