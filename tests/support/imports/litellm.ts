import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SQL } from 'bun'
import { findTool } from '../../../scripts/lib/tools.mjs'

/** Looks for LiteLLM's own migrations on this machine. */
export function hasLiteLlm(): boolean {
  return findTool('litellm') !== undefined
}

/** Makes the tables of LiteLLM by its own migrations, in an empty PostgreSQL database. */
export async function migrateLiteLlm(url: string): Promise<void> {
  const folder = findTool('litellm')
  if (folder === undefined) throw new Error("LiteLLM's schema is not here; name it in TOLLGATE_TEST_LITELLM")
  await using sql = new SQL(url, { max: 1 })
  for (const name of readdirSync(folder).toSorted()) {
    const file = join(folder, name, 'migration.sql')
    if (existsSync(file)) await sql.unsafe(readFileSync(file, 'utf8')).simple()
  }
}

export function hashed(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** A row of a table of LiteLLM; lists and objects are written as they are. */
export type LiteLlmRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Writes rows to tables, by their names without `LiteLLM_`. */
export async function writeLiteLlm(url: string, rows: LiteLlmRows): Promise<void> {
  await using sql = new SQL(url, { max: 1 })
  for (const [table, all] of Object.entries(rows))
    for (const row of all) {
      const columns = Object.keys(row).map((name) => `"${name}"`)
      const values = Object.values(row).map(literal)
      await sql.unsafe(`insert into "LiteLLM_${table}" (${columns.join(', ')}) values (${values.join(', ')})`)
    }
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]::text[]`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `'${text.replaceAll("'", "''")}'`
}

const callsAt = Date.UTC(2026, 4, 1, 9)
const at = (minutes: number) =>
  new Date(callsAt + minutes * 60_000).toISOString().slice(0, 23).replace('T', ' ')

/** Keys as clients hold them: LiteLLM makes them of letters, digits, dashes and underscores. */
export const liteLlmKeys = {
  alice: 'sk-aB-c_dEf-GhIjKlMnOpQ',
  limited: 'sk--starts_with-a-dash',
  team: 'sk-team0123456789abcdefg',
  nobody: 'sk-nobody-with-a-budget1',
  blocked: 'sk-blocked_0123456789ab',
  expired: 'sk-expired-0123456789ab',
  session: 'sk-session-of-a-console',
} as const

/** A small installation; `saltKeyText` is what it seals stored models with. */
export function liteLlmRows(upstream: string): LiteLlmRows {
  const key = (name: keyof typeof liteLlmKeys, fields: object) => ({
    token: hashed(liteLlmKeys[name]),
    key_name: `sk-...${liteLlmKeys[name].slice(-4)}`,
    key_alias: name,
    created_at: at(0),
    models: [],
    ...fields,
  })
  const own = { user_id: 'alice-id' }
  return {
    BudgetTable: [
      {
        budget_id: 'b1',
        max_budget: 2.5,
        budget_duration: '30d',
        rpm_limit: 60,
        created_by: 'x',
        updated_by: 'x',
      },
    ],
    OrganizationTable: [
      {
        organization_id: 'o1',
        organization_alias: 'Org',
        budget_id: 'b1',
        models: [],
        created_by: 'x',
        updated_by: 'x',
      },
    ],
    TeamTable: [
      {
        team_id: 't1',
        team_alias: 'Research',
        max_budget: 20,
        spend: 0.3,
        models: ['fast'],
        admins: [],
        members: [],
      },
      { team_id: 't2', team_alias: 'Idle', models: [], admins: [], members: [] },
    ],
    UserTable: [
      {
        user_id: 'alice-id',
        user_alias: 'alice',
        user_email: 'alice@example.com',
        user_role: 'internal_user',
        max_budget: 10.5,
        spend: 1.234567,
        models: [],
        rpm_limit: 600,
      },
      { user_id: 'default_user_id', user_role: 'proxy_admin', models: [], spend: 0 },
    ],
    VerificationToken: [
      key('alice', { ...own, spend: 1.2 }),
      key('limited', { ...own, budget_id: 'b1', spend: 0.034567, models: ['fast'] }),
      key('blocked', { ...own, blocked: true }),
      key('expired', { ...own, expires: '2026-01-01 00:00:00' }),
      key('team', { team_id: 't1', spend: 0.3 }),
      key('nobody', { max_budget: 1, spend: 0.1 }),
      key('session', { ...own, team_id: 'litellm-dashboard' }),
    ],
    ProxyModelTable: [
      {
        model_id: 'm1',
        model_name: 'stored',
        litellm_params: {
          // By PyNaCl with the salt key of the test: openai/gpt-4o-mini and sk-stored-secret.
          model: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXWmEOrSRIZ-WidxCJEXYwueZxoTH_KcVOAIqqhKWTm39mGQ==',
          api_key: 'v3:gcm:AAECAwQFBgcICQoLJ4hbuQUz_XJt2qMPcFkZTAs3i5FqncAcyyxHSguAngk=',
          api_base: `${upstream}/v1`,
        },
        model_info: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000003 },
        created_by: 'x',
        updated_by: 'x',
      },
    ],
    SpendLogs: [
      ...Array.from({ length: 10 }, (_, index) => call(index, hashed(liteLlmKeys.alice), 'alice-id', 0.12)),
      call(10, hashed(liteLlmKeys.team), '', 0.3),
      { ...call(11, hashed(liteLlmKeys.alice), 'alice-id', 0), status: 'failure' },
    ],
  }
}

function call(index: number, api_key: string, user: string, spend: number) {
  return {
    request_id: `r${index}`,
    call_type: 'acompletion',
    api_key,
    user,
    spend,
    total_tokens: 30,
    prompt_tokens: 20,
    completion_tokens: 10,
    startTime: at(index * 12),
    endTime: at(index * 12 + 1),
    model: 'openai/gpt-4o-mini',
    model_group: 'fast',
    status: 'success',
  }
}

/** @param upstream where models of OpenAI's format lead */
export function liteLlmConfig(upstream: string): string {
  return `model_list:
  - model_name: fast
    litellm_params:
      model: openai/gpt-4o-mini
      api_base: ${upstream}/v1
      api_key: os.environ/UPSTREAM_KEY
      input_cost_per_token: 0.0000005
      output_cost_per_token: 0.000001
  - model_name: away
    litellm_params: { model: azure/gpt-4o, api_base: "https://away.example", api_key: os.environ/NOT_SET }
  - model_name: odd
    litellm_params: { model: sagemaker/odd }
litellm_settings:
  drop_params: true
general_settings:
  master_key: sk-master-of-a-test
`
}
