import type { Vault } from '../../../lib/crypto.ts'
import type { ForeignDatabase } from '../../../store/engine/foreign/foreign-database.ts'
import type { Seconds } from '../../../store/units.ts'
import { unplacedData } from '../gateways/unplaced.ts'
import { ImportError, type ImportSource, type UnplacedTable } from '../import-source.ts'
import { columnDefaults, columnFates, tableReasons } from './columns.ts'
import { type Environment, type LiteLlmConfig, otherSections, resolved } from './config-file.ts'
import { pricesOf, unplacedPrices } from './deployment-prices.ts'
import { channelsOf, type Deployment } from './deployments.ts'
import { Dollars } from './dollars.ts'
import { openAccounts } from './litellm-accounts.ts'
import { storedDeployments } from './stored-models.ts'
import { tables } from './tables.ts'

interface Dependencies {
  readonly config: LiteLlmConfig | undefined
  /** PostgreSQL. */
  readonly database: ForeignDatabase | undefined
  readonly origin: string
  readonly vault: Pick<Vault, 'hash'>
  readonly environment: Environment
  readonly unlimitedBalance: number
  readonly now: Seconds
}

/** LiteLLM, by its config.yaml, its database, or both. Throws ImportError for a database of another program. */
export async function openLiteLlmSource(deps: Dependencies): Promise<ImportSource> {
  const { config, database, vault, environment, now } = deps
  if (database !== undefined && !(await database.has(tables.keys)))
    throw new ImportError(`${database.origin} is no database of LiteLLM: it has no table "${tables.keys}".`)
  const deployments: Deployment[] = (config?.model_list ?? []).map((model) => ({
    name: model.model_name,
    parameters: model.litellm_params,
    info: model.model_info,
    isBlocked: false,
    faults: [],
  }))
  if (database !== undefined)
    deployments.push(...(await storedDeployments(database, saltKeyOf(config, environment))))
  const dollars = new Dollars()
  const accounts = database && (await openAccounts(database, { ...deps, dollars }))
  return {
    origin: deps.origin,
    hasGlobalIds: true,
    quotaPerUnit: undefined,
    async *options({ quotaPerUnit }) {
      yield pricesOf(deployments, quotaPerUnit)
    },
    async *channels() {
      yield channelsOf(deployments, { environment, hash: (text) => vault.hash(text), now })
    },
    ...(accounts ?? noAccounts),
    codes: none,
    orders: none,
    unplaced: async () => [
      ...unplacedPrices(deployments),
      ...(config === undefined ? [] : unplacedSections(config)),
      ...(database === undefined ? [] : await unplacedTables(database)),
    ],
    remarks: () => (accounts === undefined ? [] : [dollars.remark]),
    async close() {
      await database?.close()
    },
  }
}

/** Returns the key that seals the parameters of stored models: the salt key, else the master key. */
function saltKeyOf(config: LiteLlmConfig | undefined, environment: Environment): string {
  const masterKey = resolved(config?.general_settings.master_key ?? '', environment).text
  return environment['LITELLM_SALT_KEY'] || masterKey || environment['LITELLM_MASTER_KEY'] || ''
}

async function* none(): AsyncGenerator<never> {}

const noAccounts = {
  users: none,
  tokens: none,
  callsOf: async () => [],
  countCalls: async () => 0,
} satisfies Partial<ImportSource>

function unplacedSections(config: LiteLlmConfig): UnplacedTable[] {
  return otherSections(config).map((section) => ({
    table: `config ${section}`,
    rows: 1,
    why:
      section === 'general_settings'
        ? "settings of LiteLLM itself; its master key is an administrator's, whose key here is one of their own"
        : 'settings of LiteLLM itself',
  }))
}

/** Returns the tables that are not taken. The log is taken as sums; other programs may have tables beside. */
async function unplacedTables(database: ForeignDatabase): Promise<readonly UnplacedTable[]> {
  const own = {
    ...database,
    tables: async () =>
      (await database.tables()).filter((table) => table.startsWith('LiteLLM_') && table !== tables.log),
  }
  return await unplacedData(own, { columnFates, columnDefaults, tableReasons })
}
