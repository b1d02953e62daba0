import type { Language } from '@tollgate/api'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { moneyCells, moneyHeaders } from '../../lib/export-cells.ts'
import type { User } from '../../store/accounts/users.ts'
import { lineFields, type SpendLines } from '../../store/log/spend/spend-lines.ts'
import type { SpendTimes } from '../../store/log/spend/spend-rows.ts'
import type { StatisticsRepository } from '../../store/log/statistics.ts'

/** Users with their names. */
export interface NamedUsers {
  listByIds(ids: readonly number[]): Promise<ReadonlyMap<number, Pick<User, 'username'>>>
}

/** Content of a file of spending; plain data, because the file may be made in another thread. */
export interface SpendFile {
  readonly range: SpendTimes
  readonly userIds: Float64Array
  readonly language: Language
  readonly quotaPerUnit: number
}

interface Sources {
  readonly statistics: Pick<StatisticsRepository, 'spendLines'>
  readonly users: NamedUsers
}

/** Users whose sums are read at once: each read scans the sums of all users. */
const usersPerRead = 4000
/** Lines that are written at once: their thread serves others between them. */
const linesPerPiece = 500

/** CSV in pieces: a line per user and model, of each user the dearest model first. */
export async function* spendPieces(
  { statistics, users }: Sources,
  { range, userIds, language, quotaPerUnit }: SpendFile,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine([...headers[language], ...moneyHeaders('charge', language)])
  for (let at = 0; at < userIds.length; at += usersPerRead) {
    const lines = await statistics.spendLines(range, userIds.slice(at, at + usersPerRead))
    for (const piece of piecesOf(lines)) {
      const nameOf = await namesOf(users, [...new Set(piece.map(({ userId }) => userId))])
      yield piece.map((line) => csvOf(line, nameOf(line.userId), quotaPerUnit)).join('')
    }
  }
}

/** Returns the names of users; that of a deleted one is empty. */
export async function namesOf(
  users: NamedUsers,
  ids: readonly number[],
): Promise<(userId: number) => string> {
  const found = await users.listByIds(ids)
  return (userId) => found.get(userId)?.username ?? ''
}

const headers: Readonly<Record<Language, readonly string[]>> = {
  en: ['User ID', 'User', 'Model', 'Calls', 'Prompt tokens', 'Completion tokens'],
  zh: ['用户 ID', '用户', '模型', '调用次数', '提示 tokens', '补全 tokens'],
}

type Line = Record<Exclude<(typeof lineFields)[number], 'model'>, number> & { readonly model: string }

function* piecesOf({ models, numbers }: SpendLines): Generator<Line[]> {
  const length = linesPerPiece * lineFields.length
  for (let at = 0; at < numbers.length; at += length) yield linesOf(models, numbers.subarray(at, at + length))
}

function linesOf(models: readonly string[], numbers: Float64Array): Line[] {
  return Array.from({ length: numbers.length / lineFields.length }, (_, line) => {
    const field = (name: (typeof lineFields)[number]) =>
      numbers[line * lineFields.length + lineFields.indexOf(name)] ?? 0
    return {
      userId: field('userId'),
      model: models[field('model')] ?? '',
      count: field('count'),
      promptTokens: field('promptTokens'),
      completionTokens: field('completionTokens'),
      quota: field('quota'),
    }
  })
}

function csvOf(
  { userId, model, count, promptTokens, completionTokens, quota }: Line,
  username: string,
  quotaPerUnit: number,
): string {
  const tokens = [promptTokens, completionTokens]
  return csvLine([userId, username, model, count, ...tokens, ...moneyCells(quota, quotaPerUnit)])
}
