import { join } from 'node:path'
import { createChannels } from '../apps/server/src/channels/manage/create-channels.ts'
import { blankChannel } from '../apps/server/src/channels/manage/new-channel.ts'
import { createVault } from '../apps/server/src/lib/crypto.ts'
import { masterSecrets } from '../apps/server/src/lib/master-secret.ts'
import { randomAlphanumerics } from '../apps/server/src/lib/random.ts'
import type { NewToken } from '../apps/server/src/store/accounts/tokens.ts'
import type { NewChannel } from '../apps/server/src/store/channels/channels.ts'
import { openStore } from '../apps/server/src/store/engine/open/open-store.ts'
import { sealContexts } from '../apps/server/src/store/installation/sealed-places.ts'
import type { Store } from '../apps/server/src/store/store.ts'
import { tokenCreateBody, tokenResource } from '../packages/api/src/index.ts'
import { startGateway } from './gateway.ts'
import { startStaticUpstream } from './nginx.ts'
import { atLeast, type Figure } from './report.ts'
import { inTurns, loadGateway, medians, type Pair } from './requests.ts'
import { sized } from './sized.ts'

const fewTokens = 10
const fewChannels = 10
const manyTokens = sized(100_000, 100)
const manyChannels = sized(1_000, 20)
/** Keys the load really uses: more would measure the loader's own memory. */
const usedKeys = sized(2_000, 20)

/** Root has them all, and gets one more at each start. */
const roomForKeys = { MAX_USER_TOKENS: String(2 * manyTokens) }

const seconds = () => Math.floor(Date.now() / 1000)

function newChannel(index: number, baseUrl: string, keysSealed: string): NewChannel {
  return {
    ...blankChannel,
    type: 1,
    name: `channel ${index}`,
    status: 'enabled',
    keysSealed,
    keyCount: 1,
    baseUrl,
    baseUrlTrusted: true,
    models: ['gpt-4o-mini', `model-${index}`],
    weight: 1 + (index % 5),
    createdAt: seconds(),
  }
}

const { remainQuota: _money, ...tokenDefaults } = tokenResource.fromCreateBody(
  tokenCreateBody.parse({ name: 'key' }),
  ({ code }) => {
    throw new Error(code)
  },
)

function newToken(index: number, keyHash: string, keySealed: string): NewToken {
  return {
    ...tokenDefaults,
    userId: 1,
    name: `key ${index}`,
    keyHash,
    keySealed,
    keyHead: '',
    keyTail: '',
    status: 'enabled',
    createdAt: seconds(),
    unlimitedQuota: true,
  }
}

/** Fills a stopped gateway's store. Returns keys spread over all that were made. */
async function fill(dataDir: string, upstream: string, tokens: number, channels: number): Promise<string[]> {
  const vault = createVault(masterSecrets(dataDir, {}).secret)
  const store: Store = await openStore({ dataDir, logger: { warn: () => {} } })
  const keys: string[] = []
  await store.transaction(async (tx) => {
    const sealed = vault.seal('sk-upstream', sealContexts.newChannelKeys)
    await createChannels(
      tx.channels,
      Array.from({ length: channels }, (_, index) => newChannel(index, upstream, sealed)),
      vault,
    )
    const every = Math.max(1, Math.floor(tokens / usedKeys))
    for (let index = 0; index < tokens; index += 1) {
      const key = randomAlphanumerics(48)
      const hash = vault.hash(key)
      await tx.tokens.create(newToken(index, hash, vault.seal(key, sealContexts.tokenKey(hash))))
      if (index % every === 0) keys.push(`sk-${key}`)
    }
  })
  await store.close()
  return keys
}

interface Installation {
  readonly dataDir: string
  readonly keys: readonly string[]
}

async function install(
  dataDir: string,
  upstream: string,
  tokens: number,
  channels: number,
): Promise<Installation> {
  await (await startGateway(dataDir)).stop()
  return { dataDir, keys: await fill(dataDir, upstream, tokens, channels) }
}

/** More starts with fewer turns: one process differs from the next by more than its turns do. */
const startsPerRound = sized(2, 1)
const turnsPerStart = sized(2, 1)

/**
 * Throughput with many tokens and channels against throughput with few, in turn. Both are started anew over and over:
 * where a process finds its memory makes it up to 15 % quicker or slower than the next.
 */
export async function scaleFigure(
  directory: string,
  roundSeconds: number,
  rounds: number,
): Promise<Figure[]> {
  const upstream = await startStaticUpstream(join(directory, 'scale-nginx'))
  const few = await install(join(directory, 'few'), upstream, fewTokens, fewChannels)
  const many = await install(join(directory, 'many'), upstream, manyTokens, manyChannels)
  const pairs: Pair[] = []
  for (let start = 0; start < rounds * startsPerRound; start += 1)
    pairs.push(...(await pairsOfOneStart(directory, roundSeconds, many, few)))
  const { a, b, ratio } = medians(pairs)
  const detail = `${Math.round(a.perSecond)}/s against ${Math.round(b.perSecond)}/s`
  return [atLeast('Throughput with 100,000 tokens and 1,000 channels, against 10 and 10', ratio, 0.9, detail)]
}

async function pairsOfOneStart(
  directory: string,
  roundSeconds: number,
  many: Installation,
  few: Installation,
): Promise<Pair[]> {
  const a = await startGateway(many.dataDir, roomForKeys)
  const b = await startGateway(few.dataDir, roomForKeys)
  const pairs = await inTurns(
    (seconds) => loadGateway(directory, a, many.keys, seconds),
    (seconds) => loadGateway(directory, b, few.keys, seconds),
    roundSeconds,
    turnsPerStart,
  )
  await a.stop()
  await b.stop()
  return pairs
}
