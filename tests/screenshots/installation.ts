import type { Database } from 'bun:sqlite'
import { type Operator, operate } from '../support/operator.ts'
import { openBeside } from '../support/processes/open-beside.ts'
import { startTollgate } from '../support/server.ts'
import { refuse, respond } from '../support/upstream/behaviours.ts'
import { startUpstream } from '../support/upstream/upstream.ts'

/** A gateway of a small company, in the middle of its day. */
export interface Installation {
  readonly url: string
  /** Id of a call that a second channel served. */
  readonly requestId: string
  stop(): Promise<void>
}

const ratios = {
  'gpt-4o': 1.25,
  'gpt-4o-mini': 0.075,
  'o4-mini': 0.55,
  'deepseek-chat': 0.135,
  'deepseek-reasoner': 0.275,
  'mistral-large-latest': 1,
}
const models = Object.keys(ratios)
/** Models of the calls, by index: the cheap ones more often than the dear ones. */
const requested = [0, 1, 3, 1, 2, 5, 3, 1, 4, 3, 0, 1]
const keys = ['Support assistant', 'Search index', 'Mobile app', 'Invoice reader', 'Nightly reports']
const calls = 160

export async function startInstallation(): Promise<Installation> {
  const upstream = await startUpstream()
  models.forEach((model, index) => {
    upstream.on(
      model,
      respond({
        text: 'The invoice is due on 30 November.',
        usage: { promptTokens: 2400 + 830 * index, completionTokens: 310 + 95 * index },
        delayMs: 60 + 25 * index,
      }),
    )
  })
  const overloaded = await startUpstream()
  overloaded.otherwise(refuse(503, { message: 'The engine is currently overloaded, please try again later' }))
  const gateway = await startTollgate({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false' } })
  const root = await operate(gateway.url)
  await root.option('ModelRatio', JSON.stringify(ratios))
  await addChannels(root, upstream.url, overloaded.url)
  const requestId = await makeCalls(root)
  await gateway.kill()
  repeatOverTheDay(gateway.dataDir)
  await gateway.start()
  return {
    url: gateway.url,
    requestId,
    async stop() {
      await gateway.stop()
      await upstream.stop()
      await overloaded.stop()
    },
  }
}

async function addChannels(root: Operator, healthy: string, overloaded: string): Promise<void> {
  const add = (name: string, base_url: string, names: readonly string[], more: object = {}) =>
    root.addChannel({ name, base_url, models: names.join(','), ...more })
  await add('OpenAI Frankfurt', healthy, models.slice(0, 3), { priority: 10, tag: 'eu' })
  await add('OpenAI Virginia', healthy, models.slice(0, 3), { priority: 5, tag: 'us' })
  await add('Resold OpenAI', overloaded, ['gpt-4o'], { priority: 20, tag: 'eu' })
  await add('DeepSeek', healthy, ['deepseek-chat', 'deepseek-reasoner'], { type: 43, priority: 10 })
  await add('Mistral', healthy, ['mistral-large-latest'], { type: 42, priority: 10, tag: 'eu' })
  const { id } = await add('OpenAI trial account', healthy, ['gpt-4o-mini'])
  await root.api('PUT', '/api/channel/', { id, status: 2 })
}

/** Makes the calls; returns the id of the first, which went to a second channel. */
async function makeCalls(root: Operator): Promise<string> {
  const made = []
  for (const name of keys) made.push(await root.addKey({ name }))
  let requestId = ''
  for (let call = 0; call < calls; call++) {
    const model = models[requested[call % requested.length] ?? 0]
    const reply = await fetch(`${root.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made[call % made.length]?.key}` },
      body: JSON.stringify({
        model,
        stream: call % 2 === 0,
        messages: [{ role: 'user', content: 'When is this invoice due?' }],
      }),
    })
    await reply.text()
    if (call === 0) requestId = reply.headers.get('x-request-id') ?? ''
  }
  await root.consumption(calls / 2)
  return requestId
}

/** Load of the hours before this one, the latest first. */
const shape = [0.9, 0.8, 1.1, 1.3, 1.2, 0.7, 0.9, 1, 0.6, 0.4, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.2, 0.3, 0.5]

/** The sums by the hour say that the day went as its last hour: a chart of one bar shows nothing. */
function repeatOverTheDay(dataDir: string): void {
  const database = openBeside(dataDir)
  shape.forEach((part, index) => {
    const earlier = 3600 * (index + 1)
    for (const table of ['usage_hourly', 'usage_by_model']) repeatHour(database, table, earlier, part)
  })
  database.close()
}

function repeatHour(database: Database, table: string, earlier: number, part: number): void {
  const columns = database.query<{ name: string }, []>(`select name from pragma_table_info('${table}')`).all()
  const sums = new Set(['count', 'quota', 'prompt_tokens', 'completion_tokens'])
  const values = columns.map(({ name }) => {
    if (name === 'hour') return `hour - hour % 3600 - ${earlier}`
    return sums.has(name) ? `cast(round("${name}" * ${part}) as integer)` : `"${name}"`
  })
  database.run(
    `insert or ignore into ${table} select ${values.join(', ')} from ${table}
      where hour = (select max(hour) from ${table})`,
  )
}
