import {
  familyName,
  type ModelChannelCost,
  type RouteBlocker,
  type RouteChange,
  type RoutePreview,
  type WhatIf,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { SettingsReader } from '../../settings/settings.ts'
import type { Token } from '../../store/accounts/tokens.ts'
import type { User } from '../../store/accounts/users.ts'
import type { RouteObservations } from '../../store/channels/route-observations.ts'
import type { HealthRegistry } from '../health/health-types.ts'
import type { ChannelDirectory } from '../routing/routing-types.ts'
import { type Observations, observationsOf } from './observations.ts'
import { previewChannels } from './preview.ts'
import { whatIf } from './what-if.ts'

interface Dependencies {
  readonly directory: Pick<ChannelDirectory, 'snapshot'>
  readonly health: Pick<HealthRegistry, 'cooldownMs'>
  readonly settings: SettingsReader
  readonly costs: () => readonly ModelChannelCost[]
  readonly observe: (since: number) => Promise<RouteObservations>
  readonly tokens: { find(id: number): Promise<Token | undefined> }
  readonly users: {
    find(id: number): Promise<Pick<User, 'status' | 'quota' | 'group' | 'deletedAt'> | undefined>
  }
  /** Tells whether calls of the model have a price, or need none. */
  readonly isServed: (model: string) => boolean
  readonly clock: Clock
}

interface PreviewQuery {
  readonly model?: string | undefined
  readonly group?: string | undefined
  readonly token_id?: number | undefined
}

interface WhatIfBody {
  readonly group: string
  readonly model?: string | undefined
  readonly changes: readonly RouteChange[]
}

export interface RouteSimulator {
  /** Refuses a key that does not exist. */
  preview(query: PreviewQuery): Promise<RoutePreview>
  whatIf(body: WhatIfBody): Promise<WhatIf>
}

const weekSeconds = 7 * 24 * 3600
const hourSeconds = 3600

/**
 * Creates the simulator of routes, current and assumed: by the data that routing reads, the rollups of the last week, and nothing that
 * is sent.
 */
export function createRouteSimulator(deps: Dependencies): RouteSimulator {
  const { directory, health, settings, costs, observe, clock } = deps
  const weekStart = () => Math.floor((unixSeconds(clock) - weekSeconds) / hourSeconds) * hourSeconds

  async function observed(): Promise<Observations> {
    return observationsOf(await observe(weekStart()), costs(), settings.current.QuotaPerUnit)
  }

  const maxAttempts = () => settings.current.RetryTimes + 1

  return {
    async preview({ model = '', group, token_id: tokenId = 0 }) {
      const key = tokenId === 0 ? undefined : await keyOf(tokenId, deps)
      const routedGroup = group || key?.group || 'default'
      const { snapshot } = directory
      return {
        model,
        group: routedGroup,
        blockers: [
          ...(key?.blockersOf(model) ?? []),
          ...(deps.isServed(model) ? [] : (['no-price'] as const)),
        ],
        most_attempts: maxAttempts(),
        channels: [
          ...previewChannels(
            { model, group: routedGroup },
            { snapshot, health, observations: await observed() },
          ),
        ],
      }
    },
    async whatIf({ group, model, changes }) {
      const query = { group, model, changes, maxAttempts: maxAttempts() }
      return { from: weekStart(), ...whatIf(query, directory.snapshot, await observed()) }
    },
  }
}

/** The group of a key, and what it cannot do. */
async function keyOf(id: number, { tokens, users, clock }: Dependencies) {
  const token = await tokens.find(id)
  if (token === undefined || token.deletedAt !== null) throw new Refusal('record_not_found')
  const user = await users.find(token.userId)
  const group = token.group === '' ? (user?.group ?? 'default') : token.group
  return {
    group,
    blockersOf: (model: string): RouteBlocker[] => {
      const found: Readonly<Record<Exclude<RouteBlocker, 'no-price'>, boolean>> = {
        'key-disabled': token.status === 'disabled',
        'key-expired': isPast(token.expiresAt, unixSeconds(clock)),
        'key-exhausted': !token.unlimitedQuota && token.remainQuota <= 0,
        'key-model':
          token.modelLimitsEnabled &&
          ![model, familyName(model)].some((name) => token.modelLimits.includes(name)),
        'user-banned': user === undefined || user.deletedAt !== null || user.status !== 'enabled',
        'balance-empty': user !== undefined && user.quota <= 0,
      }
      return (Object.keys(found) as (keyof typeof found)[]).filter((reason) => found[reason])
    },
  }
}

function isPast(time: number | null, now: number): boolean {
  return time !== null && time > 0 && time < now
}
