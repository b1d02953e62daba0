import { z } from 'zod'
import { flag, whole, word } from '../values.ts'

/** The tables of LiteLLM, as far as they are taken. https://github.com/BerriAI/litellm/blob/main/schema.prisma */
export const tables = {
  users: 'LiteLLM_UserTable',
  keys: 'LiteLLM_VerificationToken',
  teams: 'LiteLLM_TeamTable',
  budgets: 'LiteLLM_BudgetTable',
  models: 'LiteLLM_ProxyModelTable',
  log: 'LiteLLM_SpendLogs',
} as const

const dollars = z
  .number()
  .nullish()
  .transform((value) => value ?? 0)
const budget = z
  .number()
  .nullish()
  .transform((value) => value ?? null)
const list = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? [])
/** Times are of UTC, as a date or as milliseconds. */
const time = z
  .union([z.date(), z.string().transform((text) => new Date(`${text}Z`))])
  .nullish()
  .transform((value) => (value === null || value === undefined ? null : Math.floor(value.getTime() / 1000)))

const limited = {
  max_budget: budget,
  budget_duration: word(),
  rpm_limit: whole(),
  tpm_limit: whole(),
  max_parallel_requests: whole(),
}

export const userRow = z.object({
  user_id: z.string(),
  user_alias: word(),
  user_email: word(),
  user_role: word(),
  password: word(),
  spend: dollars,
  models: list,
  created_at: time,
  ...limited,
})
export type UserRow = z.output<typeof userRow>

export const teamRow = z.object({
  team_id: z.string(),
  team_alias: word(),
  spend: dollars,
  models: list,
  blocked: flag,
  created_at: time,
  ...limited,
})
export type TeamRow = z.output<typeof teamRow>

export const keyRow = z.object({
  token: z.string(),
  key_name: word(),
  key_alias: word(),
  spend: dollars,
  expires: time,
  models: list,
  user_id: word(),
  team_id: word(),
  budget_id: word(),
  blocked: flag,
  created_at: time,
  last_active: time,
  ...limited,
})
export type KeyRow = z.output<typeof keyRow>

export const budgetRow = z.object({ budget_id: z.string(), ...limited })
export type BudgetRow = z.output<typeof budgetRow>

export const modelRow = z.object({
  model_name: word(),
  litellm_params: z.unknown().optional(),
  model_info: z.unknown().optional(),
  blocked: flag,
})

export const callsRow = z.object({
  hour: whole(),
  api_key: word(),
  user: word(),
  model: word(),
  failed: whole(),
  calls: whole(),
  spend: dollars,
  prompt_tokens: whole(),
  completion_tokens: whole(),
})
