import type { UpgradePrice } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import { createAuditLog } from '../records/audit-log/audit-log.ts'
import { recordUpgrade } from '../records/audit-log/record-upgrade.ts'
import type { StoreConfig } from '../store/engine/open/open-store.ts'
import type { StoredOption } from '../store/installation/options.ts'
import { lockedCompletionRatio } from './pricing/completion-ratio.ts'

/** The first migration of programs that charge the stored ratio for every model, and have no default list of blocked words. */
const firstOfStoredRatios = '0026-quarter-hours'
/** Models in the line of the log; the audit log has all. */
const maxModelsInLine = 20

/**
 * Options with which a store records an upgrade of its database: every command that opens it to write passes them. It names the
 * models that are charged another output price from then on, in the audit log and in a line of the log, and says what became of
 * the default list of blocked words.
 */
export function upgradeRecord(
  node: string,
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
): Required<Pick<StoreConfig, 'recordUpgrade'>> {
  return {
    async recordUpgrade(report, { auditLog, listOptions }) {
      const crosses = report.ran.includes(firstOfStoredRatios)
      const options = crosses ? await listOptions() : []
      const prices = changedRatios(options)
      if (crosses) for (const text of wordChanges(options)) logger.warn(text)
      if (prices.length > 0) logger.warn({ models: prices.length }, changeText(prices))
      await recordUpgrade(report, prices, { node, auditLog: createAuditLog({ store: { auditLog }, clock }) })
    },
  }
}

/** Stored completion ratios that programs before ignored for the ratio of the model's family. */
export function changedRatios(options: readonly StoredOption[]): readonly UpgradePrice[] {
  const stored = Object.entries(numbersOf(options, 'CompletionRatio'))
  const perCall = numbersOf(options, 'ModelPrice')
  return stored.flatMap(([model, ratio]) => {
    const charged = lockedCompletionRatio(model)
    if (charged === undefined || charged === ratio || Object.hasOwn(perCall, model)) return []
    return [{ model, charged, stored: ratio }]
  })
}

/** The only blocked word of programs before, by default: a test of the filter. */
const testWord = 'test_sensitive'

/** Returns the lines about blocked words: their default is an empty list from then on. */
export function wordChanges(options: readonly StoredOption[]): readonly string[] {
  const stored = options.find((option) => option.key === 'SensitiveWords')?.value
  if (stored === undefined)
    return [
      `The default list of blocked words was "${testWord}", a test of the filter, and is empty from now on. To block it again, add it to SensitiveWords.`,
    ]
  if (stored.trim() !== testWord) return []
  return [
    `SensitiveWords is "${testWord}", which the version before had as its default to test the filter: every prompt is searched for it. Empty the list unless you want that.`,
  ]
}

function numbersOf(options: readonly StoredOption[], key: string): Readonly<Record<string, number>> {
  const text = options.find((option) => option.key === key)?.value ?? '{}'
  try {
    const map: unknown = JSON.parse(text)
    const entries = typeof map === 'object' && map !== null ? Object.entries(map) : []
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'number'))
  } catch {
    return {}
  }
}

function changeText(prices: readonly UpgradePrice[]): string {
  const named = prices.slice(0, maxModelsInLine)
  const models = named.map(
    ({ model, charged, stored }) =>
      `${model}: charged ${charged}, stored ${stored}, charged ${stored} from now on`,
  )
  const more = prices.length - named.length
  const others = more > 0 ? `; and ${more} more, which the audit log names` : ''
  return `The version before ignored stored completion ratios of some models, which count from now on. ${models.join('; ')}${others}. To go on as before, set CompletionRatio of these models to what was charged.`
}
