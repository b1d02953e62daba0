import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { addChannel, type Gateway, startGateway } from '../gateway.ts'
import { childrenOf } from '../processes.ts'
import { callBody } from '../requests.ts'
import { sized } from '../sized.ts'
import { ample } from './figures.ts'
import { addAccounts, secret } from './world.ts'

/** A gateway with `WORKERS`, whose workers know its accounts. */
export interface Machine {
  readonly gateway: Gateway
  readonly databaseUrl: string
  /** A folder of its own. */
  readonly directory: string
  readonly keys: readonly string[]
  /** Processes that serve: the gateway itself where it is the only one, else the children of the supervisor. */
  readonly workers: readonly number[]
  /** Scrapes the metrics of all workers. */
  scrape(): Promise<void>
  /** The process that serves no calls; `undefined` where the gateway serves by itself. */
  readonly supervisor: number | undefined
}

interface MachineOptions {
  readonly directory: string
  readonly databaseUrl: string
  readonly upstream: string
  readonly workers: number
  readonly core: string
}

const accounts = sized(50, 5)

/** Starts a machine with one channel, a price without fractions, and accounts with ample balances. */
export async function startMachine({
  directory,
  databaseUrl,
  upstream,
  workers: count,
  core,
}: MachineOptions): Promise<Machine> {
  const env = {
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: secret,
    WORKERS: String(count),
    DRAIN_SECONDS: '0',
    METRICS_TOKEN: secret,
  }
  mkdirSync(directory, { recursive: true })
  const gateway = await startGateway(join(directory, 'data'), env, core)
  while ((await gateway.api<unknown[]>('GET', '/api/nodes')).length < count) await Bun.sleep(100)
  await gateway.api('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ 'gpt-4o-mini': 1 }) })
  await addChannel(gateway, 'static', upstream, 'gpt-4o-mini')
  const keys = await addAccounts(databaseUrl, accounts, ample)
  const isAlone = count === 1
  return {
    gateway,
    databaseUrl,
    directory,
    keys,
    workers: isAlone ? [gateway.pid] : childrenOf(gateway.pid),
    supervisor: isAlone ? undefined : gateway.pid,
    async scrape() {
      const headers = { authorization: `Bearer ${secret}` }
      const response = await fetch(`${gateway.url}/metrics`, { headers })
      if (!response.ok) throw new Error(`the scrape was refused: ${await response.text()}`)
      await response.text()
    },
  }
}

/** Has every worker meet every key: a first call reads the database, and many at once would wait for each other for seconds. */
export async function meet({ gateway: { url }, keys, workers }: Machine): Promise<void> {
  for (let call = 0; call < sized(4, 1) * workers.length; call += 1)
    for (let first = 0; first < keys.length; first += 10)
      await Promise.all(
        keys.slice(first, first + 10).map(async (key) => {
          const response = await fetch(`${url}/v1/chat/completions`, {
            method: 'POST',
            keepalive: false,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: callBody,
          })
          await response.text()
        }),
      )
}
