import { calls, endpointPaths, type ModelPerformance, type UserGroups } from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { type Encoding, encodingOf } from '../../../billing/tokenizer/encoding.ts'
import type { TokenCounting } from '../../../billing/tokenizer/token-counting.ts'
import type { ChannelDirectory } from '../../../channels/routing/routing-types.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { jobCosts } from '../../../models/job-costs.ts'
import { priceList } from '../../../models/price-list.ts'
import { pricedGroups } from '../../../settings/groups.ts'
import type { SettingsReader } from '../../../settings/settings.ts'
import { type ConsoleRoute, route } from '../route.ts'
import type { createPriceReader } from './price-reader.ts'

export interface PricingDependencies {
  readonly settings: SettingsReader
  readonly channels: Pick<ChannelDirectory, 'snapshot'>
  readonly readerOf: ReturnType<typeof createPriceReader>
  /** Counts texts of people who compare prices: its own counter, so that they never delay that of calls. */
  readonly counting: Pick<TokenCounting, 'countText'>
  readonly performance: () => Promise<readonly ModelPerformance[]>
  readonly clock: Clock
}

/** A model of each encoding. */
const modelOfEncoding: Readonly<Record<Encoding, string>> = { o200k_base: 'gpt-4o', cl100k_base: 'gpt-4' }
const encodings = Object.keys(modelOfEncoding) as readonly Encoding[]

const supportedEndpoints = Object.fromEntries(
  Object.entries(endpointPaths).map(([type, path]) => [type, { path, method: 'POST' }]),
)

const ownGroupText = { en: 'Your own group', zh: '用户分组' } as const
const visitorsGroupText = { en: 'Default group', zh: '默认分组' } as const

/** Routes of the prices of models, and of the groups in which the caller may use them. */
export function pricingRoutes(deps: PricingDependencies): ConsoleRoute[] {
  const { settings, channels, readerOf, counting, performance, clock } = deps
  const { pricing, users: ofUsers } = calls

  /** Counts a text once for each way of cutting texts into tokens. */
  async function tokensOf(text: string): Promise<(model: string) => number> {
    const counts = new Map<Encoding, number>()
    for (const encoding of encodings)
      counts.set(encoding, await counting.countText(modelOfEncoding[encoding], text))
    return (model) => counts.get(encodingOf(model)) ?? 0
  }

  return [
    route(pricing.job, async ({ body: { text, ...body } }, { caller, language }) => {
      if (text !== undefined && caller === undefined) throw new Refusal('not_logged_in')
      const { reader, groups } = await readerOf(caller, language)
      const group = body.group ?? (caller?.group || 'default')
      if (!Object.hasOwn(groups, group)) throw new Refusal('token_group_not_usable', { group })
      const inputTokensOf = text === undefined ? () => body.input_tokens : await tokensOf(text)
      const rows = priceList(settings.current, channels.snapshot, reader)
      const job = { ...body, group, at: unixSeconds(clock), acceptsUnpriced: reader.acceptsUnpriced }
      return [...jobCosts(settings.current, rows, job, inputTokensOf)]
    }),
    route(pricing.performance, async (_, { caller, language }) => {
      if (!settings.current.ModelPerformanceEnabled) return []
      const { reader } = await readerOf(caller, language)
      const rows = priceList(settings.current, channels.snapshot, reader)
      const visible = new Set(rows.filter(({ available }) => available).map(({ model_name }) => model_name))
      return (await performance()).filter(({ model_name }) => visible.has(model_name))
    }),
    route(pricing.list, async (_, { caller, language }) => {
      const text = caller === undefined ? visitorsGroupText : ownGroupText
      const { reader, groups } = await readerOf(caller, language, text[language])
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
