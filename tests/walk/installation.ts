import { SQL } from 'bun'
import { type AuditStore, openStoreForAudit } from '../../apps/server/src/store/engine/open/open-audit.ts'
import { findTool } from '../../scripts/lib/tools.mjs'
import { clockOffBy, startNodes } from '../support/fleet.ts'
import type { Operator } from '../support/operator.ts'
import { startPostgres } from '../support/postgres.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Parts of the installation that the walks of a run use. */
export interface Installation {
  readonly gateways: readonly [Tollgate, ...Tollgate[]]
  readonly books: AuditStore
  /** Makes the function that resolves when every node has taken up what was changed before. */
  crossing(operator: Operator): Promise<() => Promise<void>>
  stop(): Promise<void>
}

const env = { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT: '100000', TASK_POLL_SECONDS: '1' }

/** One gateway over SQLite. */
export async function startAlone(): Promise<Installation> {
  const gateway = await startTollgate({ env })
  const books = await openStoreForAudit({ dataDir: gateway.dataDir })
  return {
    gateways: [gateway],
    books,
    crossing: async () => async () => undefined,
    async stop() {
      await books.close()
      await gateway.stop()
    },
  }
}

/** Three nodes over one PostgreSQL. The clock of the last is ahead, where libfaketime is here. */
export async function startFleet(): Promise<Installation> {
  const postgres = await startPostgres()
  const databaseUrl = await postgres.createDatabase()
  const ahead = findTool('faketime') === undefined ? {} : clockOffBy(90)
  const gateways = await startNodes({ ...env, DATABASE_URL: databaseUrl }, [{}, {}, ahead])
  const books = await openStoreForAudit({ databaseUrl, dataDir: gateways[0].dataDir })
  const sql = new SQL(databaseUrl, { max: 1 })
  return {
    gateways,
    books,
    crossing: (operator) => markedCrossing(operator, gateways, sql),
    async stop() {
      await sql.close()
      await books.close()
      for (const gateway of gateways) await gateway.stop()
      await postgres.stop()
    },
  }
}

/** Models by which a crossing is seen; a list names them where they have a price. */
export const markModels = ['mark-0', 'mark-1'] as const

/**
 * Nodes hear of changes in the order of their commits: one that has taken up a mark has taken up what came before it. Options
 * and channels are read anew each by themselves, so each kind has a mark. No node makes them: one knows its own changes
 * before it hears of others'.
 */
async function markedCrossing(
  operator: Operator,
  gateways: readonly Tollgate[],
  sql: SQL,
): Promise<() => Promise<void>> {
  const { id } = await operator.addChannel({ name: 'mark', base_url: 'http://127.0.0.1:9', models: 'mark-0' })
  await operator.option('SystemName', 'mark-0')
  const { key } = await operator.addKey({ name: 'mark' })
  let marks = 0

  const hasMark = async ({ url }: Tollgate, mark: string) => {
    const status = (await (await fetch(`${url}/api/status`)).json()) as { data?: { system_name?: string } }
    const list = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    const { data = [] } = (await list.json()) as { data?: { id: string }[] }
    return status.data?.system_name === mark && data.some((model) => model.id === mark)
  }
  return async () => {
    marks += 1
    // Every node has seen the other one since this was the mark.
    const mark = markModels[marks % markModels.length] ?? ''
    await sql.begin(async (transaction) => {
      await transaction`update options set value = ${mark} where key = 'SystemName'`
      await transaction`update channels set models = ${JSON.stringify([mark])} where id = ${id}`
    })
    await Promise.all(
      gateways.map((gateway) => until(async () => ((await hasMark(gateway, mark)) ? true : undefined))),
    )
  }
}
