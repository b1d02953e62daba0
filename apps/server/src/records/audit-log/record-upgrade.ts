import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type UpgradePrice, type UpgradeRow, upgradePrice } from '@tollgate/api'
import { z } from 'zod'
import { thisProgram } from '../../lib/program.ts'
import type { UpgradeReport } from '../../store/engine/upgrade/upgrade-report.ts'
import type { Store } from '../../store/store.ts'
import type { Seconds } from '../../store/units.ts'
import { type AuditLog, gatewayActor } from './audit-log.ts'

interface Recorder {
  /** The node's name, for a fleet. */
  readonly node: string
  readonly auditLog: Pick<AuditLog, 'record'>
}

/**
 * Records that this program carried the database of an older version over: from where, by what, and where the copy is.
 * @param prices that it charges otherwise than the version before
 */
export async function recordUpgrade(
  { before, ran, copy }: UpgradeReport,
  prices: readonly UpgradePrice[],
  { node, auditLog }: Recorder,
): Promise<void> {
  await auditLog.record(gatewayActor, {
    action: 'gateway.upgrade',
    target: { kind: 'gateway', name: node },
    before: { ...before.program, schema: before.applied.at(-1) ?? '' },
    after: {
      ...thisProgram,
      schema: ran.at(-1) ?? '',
      migrations: ran,
      copy: copy?.file ?? '',
      ...(prices.length > 0 && { prices }),
    },
  })
}

/** A value that did not change is absent from the record. */
const fact = z.string().default('')
const before = z.object({ version: fact, commit: fact, schema: fact })
const after = z.object({
  migrations: z.array(z.string()),
  copy: fact,
  prices: z.array(upgradePrice).default([]),
})
const maxUpgrades = 5

/** The upgrades since a time, the last ones first, as they were recorded. */
export async function listUpgrades(
  { auditLog }: { readonly auditLog: Pick<Store['auditLog'], 'page'> },
  since: Seconds,
): Promise<UpgradeRow[]> {
  const filter = { action: 'gateway.upgrade', from: since } as const
  const { rows } = await auditLog.page(filter, { offset: 0, limit: maxUpgrades })
  return rows.flatMap((row) => {
    const from = before.safeParse(stateOf(row.before))
    const to = after.safeParse(stateOf(row.after))
    // Another version that started without a migration is no upgrade of the database.
    return from.success && to.success ? [{ id: row.id, at: row.createdAt, from: from.data, ...to.data }] : []
  })
}

function stateOf(text: string): unknown {
  return text === '' ? undefined : JSON.parse(text)
}

interface VersionRecorder extends Recorder {
  readonly dataDir: string
  /** Version of this program. */
  readonly version: string
}

/** Records that another version starts than last time, which the data folder knows. A first start records nothing. */
export async function recordVersion({ dataDir, version, node, auditLog }: VersionRecorder): Promise<void> {
  const file = join(dataDir, 'version')
  const last = existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
  if (last === version) return
  if (last !== undefined)
    await auditLog.record(gatewayActor, {
      action: 'gateway.upgrade',
      target: { kind: 'gateway', name: node },
      before: { version: last },
      after: { version },
    })
  writeFileSync(file, `${version}\n`)
}
