import { usernameMaxLength } from '@tollgate/api'
import type { Note, SourceRow, SourceToken, SourceUser } from '../import-source.ts'
import type { Dollars } from './dollars.ts'
import type { BudgetRow, KeyRow, TeamRow, UserRow } from './tables.ts'

/** Parameters for reading rows. */
export interface RowReading {
  readonly dollars: Dollars
  readonly quotaPerUnit: number
  /** Balance of users who have no budget there, in dollars: nobody is without a limit here. */
  readonly unlimitedBalance: number
}

const nobody: Omit<SourceUser, 'username' | 'quota' | 'usedQuota' | 'createdAt' | 'fields'> = {
  displayName: '',
  passwordHash: '',
  role: 'common',
  isBanned: false,
  group: 'default',
  email: '',
  githubId: '',
  oidcId: '',
  wechatId: '',
  telegramId: '',
  linuxDoId: '',
  affCode: '',
  affCount: 0,
  affQuota: 0,
  affHistoryQuota: 0,
  inviter: '',
  setting: '',
  webhookSecret: '',
  requestCount: 0,
}

interface Limited {
  readonly rpm_limit: number
  readonly tpm_limit: number
  readonly max_parallel_requests: number
}

function limitsOf({ rpm_limit, tpm_limit, max_parallel_requests }: Limited) {
  return { requestsPerMinute: rpm_limit, tokensPerMinute: tpm_limit, concurrency: max_parallel_requests }
}

/** The balance that a budget leaves; a budget is rounded, and so is what was spent, each once. */
function moneyOf(
  { max_budget, spend }: Pick<UserRow, 'max_budget' | 'spend'>,
  { dollars, quotaPerUnit, unlimitedBalance }: RowReading,
): Pick<SourceUser, 'quota' | 'usedQuota'> {
  const usedQuota = dollars.quotaOf(spend, quotaPerUnit)
  if (max_budget === null) return { quota: dollars.quotaOf(unlimitedBalance, quotaPerUnit), usedQuota }
  return { quota: dollars.quotaOf(max_budget, quotaPerUnit) - usedQuota, usedQuota }
}

function notesOf(
  row: Pick<UserRow, 'max_budget' | 'budget_duration'>,
  example: string,
  balance: number,
): Note[] {
  const reasons = [
    row.max_budget === null && `no budget there: a balance of $${balance} here (--unlimited-balance)`,
    row.budget_duration !== '' &&
      'its budget begins anew at intervals there; here the balance stays as it is until it is topped up',
  ]
  return reasons.flatMap((reason) => (reason === false ? [] : [{ reason, example }]))
}

const administrators: ReadonlySet<string> = new Set(['proxy_admin', 'admin'])

export function readUser(row: UserRow, reading: RowReading): SourceRow<SourceUser> {
  const address = row.user_email.length <= usernameMaxLength ? row.user_email : ''
  const username = row.user_alias || address || row.user_id.slice(0, usernameMaxLength)
  const changes = notesOf(row, username, reading.unlimitedBalance)
  if (row.password !== '')
    changes.push({
      reason:
        'its password is hashed in a form that is not known here: a new one is set by mail or by an administrator',
      example: username,
    })
  if (row.models.length > 0)
    changes.push({ reason: 'its list of models holds for its keys alone here', example: username })
  return {
    id: row.user_id,
    changes,
    value: {
      ...nobody,
      ...moneyOf(row, reading),
      username,
      displayName: row.user_alias.slice(0, usernameMaxLength),
      role: administrators.has(row.user_role) ? 'admin' : 'common',
      email: row.user_email,
      createdAt: row.created_at ?? 0,
      fields: limitsOf(row),
    },
  }
}

/** The id of the account that holds keys of a team, or of nobody, where no user owns them. */
export function sharedOwner(team: string): string {
  return `team ${team}`
}

/** An account for the keys that a team has without a user: its budget is the team's. */
export function readTeam(row: TeamRow, reading: RowReading): SourceRow<SourceUser> {
  const name = row.team_alias || row.team_id
  return {
    id: sharedOwner(row.team_id),
    changes: [
      {
        reason: 'a team is no account there: it holds the keys that the team has without a user',
        example: name,
      },
      ...notesOf(row, name, reading.unlimitedBalance),
    ],
    value: {
      ...nobody,
      ...moneyOf(row, reading),
      username: name.slice(0, usernameMaxLength),
      isBanned: row.blocked,
      createdAt: row.created_at ?? 0,
      fields: limitsOf(row),
    },
  }
}

/** An account for the keys of nobody. */
export function keylessOwner(spend: number, reading: RowReading): SourceRow<SourceUser> {
  const username = 'litellm'
  return {
    id: sharedOwner(''),
    changes: [
      { reason: 'no user there: it holds the keys without user and team', example: username },
      ...notesOf({ max_budget: null, budget_duration: '' }, username, reading.unlimitedBalance),
    ],
    value: {
      ...nobody,
      ...moneyOf({ max_budget: null, spend }, reading),
      username,
      createdAt: 0,
      fields: {},
    },
  }
}

/** Words that stand for models which the owner may call. */
const everyModel: ReadonlySet<string> = new Set(['all-proxy-models', 'all-team-models'])
/** The team of sessions of LiteLLM's own console. */
export const consoleTeam = 'litellm-dashboard'

interface KeyBelongings {
  /** The id of the account that has it here. */
  readonly owner: string
  readonly budget: BudgetRow | undefined
  readonly team: TeamRow | undefined
  readonly isOwned: boolean
}

export function readKey(
  row: KeyRow,
  { owner, budget, team, isOwned }: KeyBelongings,
  { dollars, quotaPerUnit }: RowReading,
): SourceRow<SourceToken> {
  const name = row.key_alias || row.key_name || row.token.slice(0, 8)
  if (row.team_id === consoleTeam)
    return { id: row.token, leftOut: { reason: "it is a session of LiteLLM's console", example: name } }
  if (!/^[0-9a-f]{64}$/.test(row.token))
    return { id: row.token, leftOut: { reason: 'it is no SHA-256 of a key', example: name } }
  const maxBudget = row.max_budget ?? budget?.max_budget ?? null
  const usedQuota = dollars.quotaOf(row.spend, quotaPerUnit)
  const left = maxBudget === null ? 0 : dollars.quotaOf(maxBudget, quotaPerUnit) - usedQuota
  const models = row.models.length > 0 ? row.models : (team?.models ?? [])
  const isOpen = models.length === 0 || models.some((model) => everyModel.has(model))
  return {
    id: row.token,
    changes: changesOf(row, budget, { name, isOpen, models, hasTeam: isOwned && team !== undefined }),
    value: {
      owner,
      name,
      key: { digest: row.token, tail: row.key_name.slice(-4) },
      status: row.blocked ? 'disabled' : 'enabled',
      createdAt: row.created_at ?? 0,
      accessedAt: row.last_active ?? 0,
      expiresAt: row.expires,
      isUnlimited: maxBudget === null,
      remainQuota: left,
      usedQuota,
      models: isOpen ? null : models,
      allowIps: '',
      group: '',
      fields: limitsOf(own(row, budget)),
    },
  }
}

/** The limits of a key, or of the budget that it names. */
function own(row: KeyRow, budget: BudgetRow | undefined): Limited {
  if (budget === undefined) return row
  return {
    rpm_limit: row.rpm_limit || budget.rpm_limit,
    tpm_limit: row.tpm_limit || budget.tpm_limit,
    max_parallel_requests: row.max_parallel_requests || budget.max_parallel_requests,
  }
}

function changesOf(
  row: KeyRow,
  budget: BudgetRow | undefined,
  {
    name,
    isOpen,
    models,
    hasTeam,
  }: {
    readonly name: string
    readonly isOpen: boolean
    readonly models: readonly string[]
    readonly hasTeam: boolean
  },
): readonly Note[] {
  const reasons = [
    (row.budget_duration || budget?.budget_duration) &&
      'its budget begins anew at intervals there; here it is what is left of it now',
    !isOpen &&
      models.some((model) => model.includes('*')) &&
      'its list of models has names with *, which allow nothing here',
    hasTeam && 'the budget of its team does not hold here: its own and that of its user do',
  ]
  return reasons.flatMap((reason) => (reason ? [{ reason, example: name }] : []))
}
