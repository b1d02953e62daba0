import type { UpgradePrice } from '@tollgate/api'
import type { Clock } from '@tollgate/base'
import type { Logger } from '../lib/logger.ts'
import { createAuditLog } from '../records/audit-log/audit-log.ts'
import { recordUpgrade } from '../records/audit-log/record-upgrade.ts'
import type { StoreConfig } from '../store/engine/open/open-store.ts'
import type { StoredOption } from '../store/installation/options.ts'
import { lockedCompletionRatio } from './pricing/completion-ratio.ts'

/** The first migration of programs that charge the stored ratio for every model. */
const firstOfStoredRatios = '0026-quarter-hours'
/** Models in the line of the log; the audit log has all. */
const maxModelsInLine = 20

/**
 * Options with which a store records an upgrade of its database: every command that opens it to write passes them. It names the
 * models that are charged another output price from then on, in the audit log and in a line of the log.
 */
export function upgradeRecord(
  node: string,
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
): Required<Pick<StoreConfig, 'recordUpgrade'>> {
  return {
    async recordUpgrade(report, { auditLog, listOptions }) {
      const prices = report.ran.includes(firstOfStoredRatios) ? changedRatios(await listOptions()) : []
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
