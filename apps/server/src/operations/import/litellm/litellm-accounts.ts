import type { ForeignDatabase } from '../../../store/engine/foreign/foreign-database.ts'
import type { ImportSource, SourceRow, SourceToken, SourceUser, Unit } from '../import-source.ts'
import { faultOf } from '../values.ts'
import type { Dollars } from './dollars.ts'
import { type LiteLlmLog, readLog } from './litellm-log.ts'
import {
  consoleTeam,
  keylessOwner,
  type RowReading,
  readKey,
  readTeam,
  readUser,
  sharedOwner,
} from './litellm-rows.ts'
import {
  type BudgetRow,
  budgetRow,
  type KeyRow,
  keyRow,
  type TeamRow,
  tables,
  teamRow,
  userRow,
} from './tables.ts'

/** Users and their keys. */
export type Accounts = Pick<ImportSource, 'users' | 'tokens' | 'callsOf' | 'countCalls'>

interface AccountReading {
  readonly dollars: Dollars
  readonly unlimitedBalance: number
}

/** Objects that rows refer to, by their names. */
interface Directory {
  readonly users: ReadonlySet<string>
  readonly teams: ReadonlyMap<string, TeamRow>
  readonly budgets: ReadonlyMap<string, BudgetRow>
  readonly keys: readonly KeyRow[]
  readonly log: LiteLlmLog
}

/** The accounts of a database. Every key has an owner here: its user, else an account for its team, else one for all others. */
export async function openAccounts(database: ForeignDatabase, reading: AccountReading): Promise<Accounts> {
  const directory = await readDirectory(database)
  const { log } = directory
  const readingOf = ({ quotaPerUnit }: Unit): RowReading => ({ ...reading, quotaPerUnit })
  return {
    users: (unit) => readUsers(database, directory, readingOf(unit)),
    tokens: (unit) => readKeys(directory, readingOf(unit)),
    callsOf: async (user, { quotaPerUnit }) => log.callsOf(user, quotaPerUnit),
    countCalls: async () => log.count,
  }
}

async function readDirectory(database: ForeignDatabase): Promise<Directory> {
  const users = new Set<string>()
  for await (const rows of database.rows(tables.users, 'user_id'))
    for (const row of rows) users.add(String(row['user_id']))
  const budgets = new Map<string, BudgetRow>()
  for (const row of await allRows(database, tables.budgets, 'budget_id', budgetRow.parse))
    budgets.set(row.budget_id, row)
  const teams = new Map<string, TeamRow>()
  for (const row of await allRows(database, tables.teams, 'team_id', teamRow.parse))
    teams.set(row.team_id, row)
  const keys = await allRows(database, tables.keys, 'token', keyRow.parse)
  const owners = new Map(keys.map((key) => [key.token, ownerOf(key, { users, teams })]))
  return { users, teams, budgets, keys, log: await readLog(database, (key) => owners.get(key)) }
}

function ownerOf({ user_id, team_id }: KeyRow, { users, teams }: Pick<Directory, 'users' | 'teams'>): string {
  if (users.has(user_id)) return user_id
  return sharedOwner(teams.has(team_id) ? team_id : '')
}

async function* readUsers(
  database: ForeignDatabase,
  directory: Directory,
  reading: RowReading,
): AsyncGenerator<readonly SourceRow<SourceUser>[]> {
  // There is no counter of calls there but the log.
  const counted = (row: SourceRow<SourceUser>): SourceRow<SourceUser> =>
    'leftOut' in row ? row : { ...row, value: { ...row.value, requestCount: directory.log.countOf(row.id) } }
  for await (const rows of database.rows(tables.users, 'user_id'))
    yield rows.map((row) => counted(userOf(row, reading)))
  yield sharedOwners(directory, reading).map(counted)
}

function userOf(row: Readonly<Record<string, unknown>>, reading: RowReading): SourceRow<SourceUser> {
  const parsed = userRow.safeParse(row)
  if (parsed.success) return readUser(parsed.data, reading)
  const id = String(row['user_id'])
  return { id, leftOut: { reason: 'it cannot be read', example: `${id}: ${faultOf(parsed.error)}` } }
}

/** Accounts for keys that have no user. */
function sharedOwners(directory: Directory, reading: RowReading): SourceRow<SourceUser>[] {
  const served = directory.keys.filter(({ team_id }) => team_id !== consoleTeam)
  const needed = new Set(served.map((key) => ownerOf(key, directory)))
  const ofTeams = [...directory.teams.values()]
    .filter(({ team_id }) => needed.has(sharedOwner(team_id)))
    .map((team) => readTeam(team, reading))
  if (!needed.has(sharedOwner(''))) return ofTeams
  const spend = served
    .filter((key) => ownerOf(key, directory) === sharedOwner(''))
    .reduce((sum, key) => sum + key.spend, 0)
  return [...ofTeams, keylessOwner(spend, reading)]
}

const keysPerBatch = 500

async function* readKeys(
  directory: Directory,
  reading: RowReading,
): AsyncGenerator<readonly SourceRow<SourceToken>[]> {
  const { keys, teams, budgets, users } = directory
  for (let start = 0; start < keys.length; start += keysPerBatch)
    yield keys.slice(start, start + keysPerBatch).map((key) =>
      readKey(
        key,
        {
          owner: ownerOf(key, directory),
          isOwned: users.has(key.user_id),
          team: teams.get(key.team_id),
          budget: budgets.get(key.budget_id),
        },
        reading,
      ),
    )
}

async function allRows<Row>(
  database: ForeignDatabase,
  table: string,
  key: string,
  parse: (row: unknown) => Row,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of database.rows(table, key)) all.push(...rows.map((row) => parse(row)))
  return all
}
