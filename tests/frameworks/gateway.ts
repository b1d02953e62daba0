import { type LogRow, type Operator, operate } from '../support/operator.ts'
import { startTollgate, type Tollgate } from '../support/server.ts'
import { type CallerDialect, callerDialects, checks, type UpstreamDialect } from './cases.ts'
import { failing, kinds, namesOf, startEmbedder, startUpstream } from './upstreams.ts'

/** A gateway over one fake upstream, with a key for each dialect and check, by which charges are told apart. */
export interface House {
  readonly upstream: UpstreamDialect
  readonly url: string
  keyOf(dialect: CallerDialect, check: string): string
  /** Charged input and output tokens of the calls since the last time, by key. */
  charges(): Promise<ReadonlyMap<string, readonly [number, number]>>
  stop(): Promise<void>
}

/** Starts the gateway and its upstreams, on loopback. */
export async function startHouse(dialect: UpstreamDialect): Promise<House> {
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' }, readyMs: 60_000 })
  const operator = await operate(gateway.url)
  const upstream = await startUpstream(dialect)
  const embedder = startEmbedder()
  await addChannels(operator, dialect, upstream.url, embedder.url)
  const keys = await addKeys(operator)
  let seen = 0
  return {
    upstream: dialect,
    url: gateway.url,
    keyOf: (caller, check) => keys.get(`${caller} ${check}`) ?? '',
    async charges() {
      const rows = await settledRows(operator, seen)
      seen += rows.length
      return sums(rows)
    },
    stop: () => stopAll(gateway, upstream, embedder),
  }
}

async function addChannels(operator: Operator, dialect: UpstreamDialect, chat: string, vectors: string) {
  const { channelType: type, key, model, embeddings } = kinds[dialect]
  const targets = {
    main: { url: chat, model },
    limit: { url: chat, model: failing.limit },
    overflow: { url: chat, model: failing.overflow },
    ...(embeddings && { embeddings: { url: vectors, model: 'text-embedding-house' } }),
  }
  const priced = Object.keys(targets).flatMap((kind) => namesOf(kind as keyof typeof targets))
  await operator.option('ModelRatio', JSON.stringify(Object.fromEntries(priced.map((name) => [name, 1]))))
  for (const [kind, target] of Object.entries(targets)) {
    const names = namesOf(kind as keyof typeof targets)
    await operator.addChannel({
      name: kind,
      type,
      key,
      base_url: target.url,
      models: names.join(),
      model_mapping: JSON.stringify(Object.fromEntries(names.map((name) => [name, target.model]))),
    })
  }
}

async function addKeys(operator: Operator): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>()
  for (const dialect of callerDialects)
    for (const check of checks) {
      const name = `${dialect} ${check}`
      keys.set(name, (await operator.addKey({ name })).key)
    }
  return keys
}

const quietMs = 800
const pageSize = 100

/** The rows behind those already seen, as soon as no more come. */
async function settledRows(operator: Operator, seen: number): Promise<readonly LogRow[]> {
  let total = await operator.consumed()
  for (let before = -1; before !== total; ) {
    before = total
    await Bun.sleep(quietMs)
    total = await operator.consumed()
  }
  const rows: LogRow[] = []
  for (let page = 1; rows.length < total - seen; page++) {
    const path = `/api/log/?p=${page}&page_size=${pageSize}&type=2`
    const { items } = await operator.api<{ readonly items: readonly LogRow[] }>('GET', path)
    if (items.length === 0) break
    rows.push(...items)
  }
  return rows.slice(0, total - seen)
}

function sums(rows: readonly LogRow[]): ReadonlyMap<string, readonly [number, number]> {
  const found = new Map<string, readonly [number, number]>()
  for (const { token_name, prompt_tokens, completion_tokens } of rows) {
    const [input, output] = found.get(token_name) ?? [0, 0]
    found.set(token_name, [input + prompt_tokens, output + completion_tokens])
  }
  return found
}

async function stopAll(
  gateway: Tollgate,
  upstream: { stop(): Promise<void> },
  embedder: { stop(): Promise<void> },
): Promise<void> {
  await gateway.stop()
  await upstream.stop()
  await embedder.stop()
}
