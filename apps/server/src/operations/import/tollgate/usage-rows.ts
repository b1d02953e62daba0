import { logTypes } from '@tollgate/api'
import { usageSums } from '../../../store/log/quarters/quarter-tables.ts'
import type { SourceCalls } from '../import-source.ts'
import { grouped } from './read-row.ts'
import type { SourceDatabase } from './source-database.ts'

const callTypes = `${logTypes.consumption}, ${logTypes.error}`

type Figures = Readonly<Record<(typeof usageSums)[number], number>>

interface Sum extends Figures {
  readonly user_id: number
  readonly hour: number
  readonly type: number
  readonly model: string
  readonly channel: number
}

const summed = (expression: string, name: string) => `cast(sum(${expression}) as bigint) as ${name}`

/** The calls of some users by hour, as statistics there have them: also those whose rows are cleared, or that were imported there. */
const hourlyQuery = `select user_id, hour - hour % 3600 as hour, type, model, 0 as channel,
  ${usageSums.map((name) => summed(`"${name}"`, name)).join(', ')}
  from usage_hourly where user_id between ? and ? and type in (${callTypes})
  group by user_id, hour - hour % 3600, type, model`

/** The same by channel, of those that the log still has. */
const loggedQuery = `select user_id, created_at - created_at % 3600 as hour, type, model, channel_id as channel,
  count(*) as count, ${summed('quota', 'quota')}, ${summed('prompt_tokens', 'prompt_tokens')},
  ${summed('completion_tokens', 'completion_tokens')}, ${summed('coalesce(cost, 0)', 'cost')},
  ${summed('case when cost is null then 0 else quota end', 'costed_quota')},
  ${summed('case when cost is null then 0 else 1 end', 'costed_calls')}
  from logs where user_id between ? and ? and type in (${callTypes})
  group by user_id, created_at - created_at % 3600, type, model, channel_id`

/** Users whose calls are read at once: each time, the whole log is gone through. */
const usersPerRead = 500

/** Reads the calls of users, many users at a time. */
export class UsageReader {
  readonly #database: SourceDatabase
  #first = 0
  #byUser = new Map<number, SourceCalls[]>()

  constructor(database: SourceDatabase) {
    this.#database = database
  }

  /** @param user users are asked about in the order of their ids */
  async callsOf(user: number): Promise<readonly SourceCalls[]> {
    if (this.#first === 0 || user < this.#first || user >= this.#first + usersPerRead) await this.#read(user)
    return this.#byUser.get(user) ?? []
  }

  async #read(first: number): Promise<void> {
    const range = [first, first + usersPerRead - 1]
    const hourly = await this.#database.query<Sum>(hourlyQuery, range)
    const logged = grouped(await this.#database.query<Sum>(loggedQuery, range), keyOf)
    this.#first = first
    this.#byUser = new Map()
    for (const sum of hourly)
      for (const part of partsOf(sum, logged.get(keyOf(sum)) ?? [])) {
        const calls = this.#byUser.get(sum.user_id) ?? []
        calls.push(callsOf(part))
        this.#byUser.set(sum.user_id, calls)
      }
  }
}

const keyOf = ({ user_id, hour, type, model }: Sum) => `${user_id} ${hour} ${type} ${model}`

/** Returns the sums of each channel, and the rest; the whole where the log has more than the statistics. */
function partsOf(sum: Sum, logged: readonly Sum[]): readonly Sum[] {
  const rest = Object.fromEntries(
    usageSums.map((name) => [name, sum[name] - logged.reduce((total, part) => total + part[name], 0)]),
  ) as Figures
  const values = Object.values(rest)
  if (values.some((value) => value < 0)) return [sum]
  return values.some((value) => value > 0) ? [...logged, { ...sum, ...rest }] : logged
}

function callsOf(sum: Sum): SourceCalls {
  return {
    hour: sum.hour,
    type: sum.type === logTypes.error ? 'error' : 'consumption',
    model: sum.model,
    channel: sum.channel === 0 ? '' : String(sum.channel),
    count: sum.count,
    quota: sum.quota,
    promptTokens: sum.prompt_tokens,
    completionTokens: sum.completion_tokens,
    costs: { cost: sum.cost, costedQuota: sum.costed_quota, costedCalls: sum.costed_calls },
  }
}

/** Calls that statistics there have, of all users. */
export async function countCalls(database: SourceDatabase): Promise<number> {
  const [row] = await database.query<{ n: number | null }>(
    `select cast(sum("count") as bigint) as n from usage_hourly where type in (${callTypes})`,
  )
  return row?.n ?? 0
}
