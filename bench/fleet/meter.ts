import { SQL } from 'bun'
import { createListener } from '../../apps/server/src/store/engine/open/listen.ts'
import { familySeconds, parentOf, processorSeconds } from '../processes.ts'

/** Resources that a fleet and its database have used since they began. */
export interface Reading {
  readonly nodeSeconds: number
  readonly databaseSeconds: number
  readonly walBytes: number
  readonly transactions: number
  readonly notifications: number
  /** Rows inserted and updated, by table. */
  readonly written: Readonly<Record<string, number>>
  /** Bytes on disk with indexes, by table. */
  readonly bytes: Readonly<Record<string, number>>
  /** Connections of all nodes. */
  readonly connections: number
  readonly at: number
}

export interface Meter {
  read(): Promise<Reading>
  close(): Promise<void>
}

/** Backends report what they did at most a second later. */
const reportMs = 1500

interface Metered {
  readonly databaseUrl: string
  readonly nodes: readonly { readonly pid: number }[]
}

/** Reads what the nodes and their database use. */
export async function createMeter({ databaseUrl, nodes }: Metered): Promise<Meter> {
  const sql = new SQL(databaseUrl, { max: 1 })
  const [backend] = (await sql`select pg_backend_pid() as pid`) as { pid: number }[]
  const server = parentOf(backend?.pid ?? 0)
  let notifications = 0
  const listener = await createListener({
    url: databaseUrl,
    channels: ['tollgate_changes', 'tollgate_messages'],
    name: 'bench',
    logger: { info: () => undefined, warn: () => undefined },
    notified() {
      notifications += 1
    },
    connected: async () => undefined,
  })
  await listener.start()

  async function tables() {
    const rows = (await sql`
      select relname as name, n_tup_ins + n_tup_upd as written, pg_total_relation_size(relid) as bytes
      from pg_stat_user_tables`) as { name: string; written: string; bytes: string }[]
    const by = (pick: (row: (typeof rows)[number]) => string) =>
      Object.fromEntries(rows.map((row) => [row.name, Number(pick(row))]))
    return { written: by((row) => row.written), bytes: by((row) => row.bytes) }
  }

  return {
    async read() {
      await Bun.sleep(reportMs)
      const [counts] = (await sql`
        select (select wal_bytes from pg_stat_wal) as wal,
          (select xact_commit from pg_stat_database where datname = current_database()) as transactions,
          (select count(*) from pg_stat_activity where application_name like 'tollgate%') as connections
      `) as { wal: string; transactions: string; connections: string }[]
      return {
        nodeSeconds: nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
        databaseSeconds: familySeconds(server),
        walBytes: Number(counts?.wal),
        transactions: Number(counts?.transactions),
        connections: Number(counts?.connections),
        notifications,
        ...(await tables()),
        at: performance.now(),
      }
    },
    async close() {
      await listener.close()
      await sql.close()
    },
  }
}
