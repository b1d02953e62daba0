import { createHash } from 'node:crypto'
import {
  type Statement,
  type StatementChargeLine,
  type StatementKind,
  type StatementLineName,
  statementLineNames,
  statementLineOf,
} from '@tollgate/api'
import { monthOf, type Zone } from '@tollgate/api/calendar'
import { unixSeconds } from '@tollgate/base'
import { mayRead } from '../../accounts/users/manage/ranks.ts'
import type { Ledger } from '../../billing/ledger-types.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Actor } from '../../records/audit-log/audit-log.ts'
import type { Services } from '../../services.ts'
import type { ChargeLine, StatementFigures, StatementSubject } from '../../store/money/statement.ts'
import type { Store } from '../../store/store.ts'

/** A month by a reader's clock. */
export interface StatementMonth {
  /** Name of the month, `2026-11`; the current one by default. */
  readonly month: string | undefined
  readonly zone: Zone
}

/** A subject as an administrator names it. */
export interface NamedSubject {
  readonly kind: StatementKind | undefined
  readonly id: number | undefined
  readonly group: string | undefined
}

interface Dependencies extends Pick<Services, 'settings' | 'clock'> {
  readonly store: Pick<Store, 'statements' | 'users' | 'tokens'>
  readonly ledger: Pick<Ledger, 'flush'>
}

interface Described {
  readonly subject: StatementSubject
  readonly name: string
  readonly isUnlimited: boolean
}

/** Statements of a month, from the ledger: they do not depend on the log, whose rows are cleared. */
export function createStatements({ store, ledger, settings, clock }: Dependencies) {
  async function statementOf(described: Described, wanted: StatementMonth): Promise<Statement> {
    const { subject, name, isUnlimited } = described
    const now = unixSeconds(clock)
    const times = monthOf(wanted.month, now, wanted.zone)
    if (times === undefined) throw new Refusal('statement_month_invalid')
    await ledger.flush()
    const figures = await store.statements.read(subject, times)
    const content = {
      kind: subject.kind,
      id: subject.kind === 'group' ? 0 : subject.id,
      name,
      ...times,
      is_unlimited: isUnlimited,
      ...wireFigures(figures),
      quota_per_unit: settings.current.QuotaPerUnit,
    }
    return { ...content, number: numberOf(content), is_open: times.end > now }
  }

  async function ofUser(id: number, actor?: Actor): Promise<Described> {
    const user = await store.users.find(id)
    if (user === undefined || (actor !== undefined && !mayRead(actor, user)))
      throw new Refusal('record_not_found')
    return { subject: { kind: 'user', id }, name: user.username, isUnlimited: false }
  }

  async function ofToken(id: number, owner?: number): Promise<Described> {
    const token = await (owner === undefined ? store.tokens.find(id) : store.tokens.findOwn(owner, id))
    if (token === undefined) throw new Refusal('record_not_found')
    return { subject: { kind: 'token', id }, name: token.name, isUnlimited: token.unlimitedQuota }
  }

  async function described(actor: Actor, { kind, id = 0, group = '' }: NamedSubject): Promise<Described> {
    switch (kind) {
      case 'group':
        return { subject: { kind, name: group }, name: group, isUnlimited: false }
      case 'token': {
        const token = await ofToken(id)
        await ofUser((await store.tokens.find(id))?.userId ?? 0, actor)
        return token
      }
      default:
        return await ofUser(id, actor)
    }
  }

  return {
    /** The caller's own account, or one of their keys. */
    own: async (userId: number, tokenId: number | undefined, wanted: StatementMonth) =>
      await statementOf(tokenId ? await ofToken(tokenId, userId) : await ofUser(userId), wanted),
    /** Reads the statement of anybody whom the administrator may read. */
    of: async (actor: Actor, named: NamedSubject, wanted: StatementMonth) =>
      await statementOf(await described(actor, named), wanted),
  }
}

export type Statements = ReturnType<typeof createStatements>

function wireFigures(figures: StatementFigures) {
  const { opening, closing, charges, moves, entries, byModel, byAccount } = figures
  const lines = statementLineNames.map((line) => {
    const those = moves.filter(({ cause }) => statementLineOf(cause) === line)
    const sum = (of: 'amount' | 'count') => those.reduce((total, each) => total + each[of], 0)
    return { line, amount: sum('amount'), count: sum('count') }
  })
  return {
    opening,
    closing,
    charges,
    lines: lines.filter(({ count }) => count > 0),
    entries: entries.map(({ at, cause, amount, note }) => {
      const line = statementLineOf(cause)
      return { at, line, amount, note: publicNote(line, note) }
    }),
    by_model: complete(byModel, charges),
    by_account: complete(byAccount, charges),
  }
}

/** Notes that say something to the owner: numbers of orders and reasons of corrections are; those of acts are administrators'. */
const linesWithNotes: ReadonlySet<StatementLineName> = new Set(['top_ups', 'refunds', 'disputes'])

function publicNote(line: StatementLineName, note: string): string {
  return linesWithNotes.has(line) ? note : ''
}

/** Lines that add up to the charges: what none of them has is a line without a name. None where there is no breakdown. */
function complete(lines: readonly ChargeLine[], charges: StatementFigures['charges']): StatementChargeLine[] {
  const named = lines.map(({ of, name, calls, amount }) => ({
    name: typeof of === 'number' ? (name ?? '') : of,
    id: typeof of === 'number' ? of : 0,
    calls,
    amount,
  }))
  const rest = (of: 'calls' | 'amount') => named.reduce((left, line) => left - line[of], charges[of])
  if (named.length === 0) return []
  const other = { name: '', id: 0, calls: rest('calls'), amount: rest('amount') }
  return other.calls === 0 && other.amount === 0 ? named : [...named, other]
}

const kindLetters = { user: 'U', token: 'K', group: 'G' } as const satisfies Record<StatementKind, string>

/** Names subject and month, and the content by its digest. */
function numberOf(content: Omit<Statement, 'number' | 'is_open'>): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 8)
  const subject = content.kind === 'group' ? '' : String(content.id)
  return `${kindLetters[content.kind]}${subject}-${content.month}-${digest.toUpperCase()}`
}
