import type { ColumnFate } from '../gateways/columns.ts'
import { keyRow, modelRow, tables, userRow } from './tables.ts'

const fates = (
  row: { readonly shape: object },
  others: Readonly<Record<string, ColumnFate>>,
): Readonly<Record<string, ColumnFate>> => ({
  ...Object.fromEntries(Object.keys(row.shape).map((column) => [column, 'taken' as const])),
  ...others,
})
const ignored = (why: string): ColumnFate => ({ ignored: why })
const named = (why: string): ColumnFate => ({ named: why })

const dates = {
  updated_at: ignored('when the row was changed there'),
  created_by: ignored('who made the row there'),
  updated_by: ignored('who changed the row there'),
}
const ownBudgets = {
  budget_reset_at: ignored('of budgets that begin anew, which the row says in a note of its own'),
  model_spend: ignored('it is in the log'),
  model_max_budget: named('budgets for a model have no place here'),
  budget_limits: named('budgets for a model have no place here'),
}
const permissions = {
  organization_id: named('organisations have no place here yet'),
  object_permission_id: named('permissions for tools and stores have no place here'),
  allowed_cache_controls: named('nothing is cached here'),
  policies: named('guardrails have no place here'),
}

/**
 * The fate of each column of LiteLLM's tables that are taken row by row. A column that is not here is of a version that nobody has read
 * yet. https://github.com/BerriAI/litellm/blob/main/schema.prisma, November 2026
 */
export const columnFates: Readonly<Record<string, Readonly<Record<string, ColumnFate>>>> = {
  [tables.users]: fates(userRow, {
    ...dates,
    ...ownBudgets,
    ...permissions,
    team_id: named('teams have no place here yet'),
    teams: named('teams have no place here yet'),
    sso_user_id: named('accounts at identity providers are bound anew by their owners'),
    metadata: named('notes on users have no place here'),
  }),
  [tables.keys]: fates(keyRow, {
    ...dates,
    ...ownBudgets,
    ...permissions,
    soft_budget_cooldown: ignored('whether somebody was warned there'),
    aliases: named('a key has no names of models of its own here: map them in the channel'),
    config: named('a key has no settings of calls of its own here'),
    router_settings: named('a key has no routing of its own here'),
    permissions: named('a key has no permissions of its own here'),
    metadata: named('notes and guardrails of keys have no place here'),
    allowed_routes: named('a key may call every path here'),
    agent_id: named('agents have no place here'),
    project_id: named('projects have no place here yet'),
    access_group_ids: named('access groups have no place here: the key has a list of models'),
    auto_rotate: named('keys are not renewed by themselves here'),
    rotation_interval: named('keys are not renewed by themselves here'),
    rotation_count: ignored('of keys that are renewed there'),
    last_rotation_at: ignored('of keys that are renewed there'),
    key_rotation_at: ignored('of keys that are renewed there'),
  }),
  [tables.models]: fates(modelRow, { ...dates, model_id: ignored('channels have ids of their own here') }),
}

/** Defaults beside nothing, zero, false and empty objects. */
export const columnDefaults: Readonly<Record<string, string>> = {}

const teams = 'teams have no place here yet'

/** Tables that are not taken row by row, with the reason. */
export const tableReasons: Readonly<Record<string, string>> = {
  [tables.teams]: `${teams}; a team whose keys have no user became an account, see above`,
  LiteLLM_TeamMembership: `${teams}, nor have budgets of members`,
  LiteLLM_OrganizationTable: 'organisations have no place here yet',
  LiteLLM_OrganizationMembership: 'organisations have no place here yet',
  LiteLLM_EndUserTable: 'customers of users have no place here yet',
  LiteLLM_ProjectTable: 'projects have no place here yet',
  LiteLLM_CredentialsTable: 'they are taken with the models that name them',
  [tables.budgets]: 'they are taken with the keys that name them',
  LiteLLM_DailyUserSpend: 'the hourly sums are made from the log of calls',
}
