import { join } from 'node:path'
import { createVault } from '../../apps/server/src/lib/crypto.ts'
import { randomAlphanumerics } from '../../apps/server/src/lib/random.ts'
import { newToken, newUser } from '../../apps/server/src/store/contract/samples.ts'
import { openStore } from '../../apps/server/src/store/engine/open/open-store.ts'
import { sealContexts } from '../../apps/server/src/store/installation/sealed-places.ts'
import { addChannel, type Gateway, startGateway } from '../gateway.ts'
import { bothCores } from '../processes.ts'

/** The master key of every node. */
export const secret = 'the secret of every node of this bench'

/** Several gateways on one PostgreSQL database, on both cores together with it. */
export interface BenchFleet {
  readonly databaseUrl: string
  readonly nodes: readonly Gateway[]
  readonly urls: readonly string[]
  stop(): Promise<void>
}

interface FleetOptions {
  readonly directory: string
  readonly databaseUrl: string
  readonly upstream: string
  readonly size: number
}

/** Starts the nodes, with one channel and a price that has no fractions. */
export async function startFleet({
  directory,
  databaseUrl,
  upstream,
  size,
}: FleetOptions): Promise<BenchFleet> {
  const env = {
    DATABASE_URL: databaseUrl,
    TOLLGATE_SECRET: secret,
    CRITICAL_RATE_LIMIT: '1000',
  }
  const nodes: Gateway[] = []
  for (let index = 0; index < size; index += 1)
    nodes.push(await startGateway(join(directory, `node-${index}`), env, bothCores))
  const [first] = nodes
  if (first === undefined) throw new Error('a fleet has a node')
  await first.api('PUT', '/api/option/', { key: 'ModelRatio', value: JSON.stringify({ 'gpt-4o-mini': 1 }) })
  await addChannel(first, 'static', upstream, 'gpt-4o-mini')
  return {
    databaseUrl,
    nodes,
    urls: nodes.map(({ url }) => url),
    async stop() {
      for (const node of nodes) await node.stop()
    },
  }
}

/** Creates users with a balance and a key each, and returns the keys. */
export async function addAccounts(databaseUrl: string, count: number, balance: number): Promise<string[]> {
  const vault = createVault(secret)
  const store = await openStore({ databaseUrl, dataDir: '', logger: { warn: () => {} } })
  const keys: string[] = []
  const now = Math.floor(Date.now() / 1000)
  await store.transaction(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const key = randomAlphanumerics(48)
      const { id } = await tx.users.create(newUser({ affCode: key }))
      const keyHash = vault.hash(key)
      const sealed = { keyHash, keySealed: vault.seal(key, sealContexts.tokenKey(keyHash)) }
      await tx.tokens.create(newToken(id, { ...sealed, unlimitedQuota: true }))
      const entry = { accountKind: 'user', accountId: id, cause: 'top-up', amount: balance } as const
      await tx.ledger.credit({ ...entry, createdAt: now, actorId: 0, note: '' })
      keys.push(`sk-${key}`)
    }
  })
  await store.close()
  return keys
}
