import { logOther } from '@tollgate/api'
import { type LogTexts, withLogPersons } from '@tollgate/api/log-events'
import type { RewrittenRow } from '../../../store/accounts/personal/rewrite-log.ts'
import type { User } from '../../../store/accounts/users.ts'
import type { LogFilter, LogRow } from '../../../store/log/index/log-row.ts'
import type { Store } from '../../../store/store.ts'

type LogStore = Pick<Store, 'usage' | 'people'>

/** Rows that are rewritten in one transaction. */
const batchRows = 500

/** Takes a person out of the usage log: out of their own rows, and out of others' rows that name them. */
export async function eraseLog(store: LogStore, { id, username }: User, erasedName: string): Promise<void> {
  const names = new Set([username])
  const tokenNames = new Set<string>()
  await rewrite(store, { userId: id }, (row) => {
    names.add(row.username)
    if (row.tokenName !== '') tokenNames.add(row.tokenName)
    return { ...row, username: erasedName, tokenName: '', content: '', other: impersonalOther(row.other) }
  })
  const person = { id, names: [...names].filter((name) => name !== ''), erasedName }
  await rewrite(store, { type: ['management', 'system'] }, (row) => {
    const texts = withoutMention(row, person)
    return texts && { ...row, ...texts }
  })
  await store.people.rewriteLog({ rows: [], tokenNames: [...tokenNames] })
}

/** @param change the row as it is to be; `undefined` for one that stays */
async function rewrite(
  { usage, people }: LogStore,
  filter: LogFilter,
  change: (row: LogRow) => LogRow | undefined,
): Promise<void> {
  let before: number | undefined
  do {
    const batch = await usage.batch(filter, before, batchRows)
    const rows = batch.rows.flatMap((row) => change(row) ?? [])
    if (rows.length > 0) await people.rewriteLog({ rows: rows.map(textsOf), tokenNames: [] })
    before = batch.next
  } while (before !== undefined)
}

function textsOf({ id, createdAt, username, tokenName, content, other }: LogRow): RewrittenRow {
  return { id, createdAt, username, tokenName, content, other }
}

interface Mentioned {
  readonly id: number
  readonly names: readonly string[]
  readonly erasedName: string
}

/** The texts of a row about somebody else without the name of the person; `undefined` for a row that does not name them. */
export function withoutMention(texts: LogTexts, mentioned: Mentioned): LogTexts | undefined {
  const { id, erasedName } = mentioned
  const ofEvent = withLogPersons(texts, (person) =>
    person.id === id ? { ...person, name: erasedName } : person,
  )
  if (ofEvent !== undefined) return ofEvent
  const content = sentenceWithout(texts.content, mentioned)
  return content === texts.content ? undefined : { content, other: texts.other }
}

/** The same of a sentence that an older version wrote. */
function sentenceWithout(content: string, { id, names, erasedName }: Mentioned): string {
  for (const name of names) {
    const asActor = `${name} (id ${id}) `
    if (content.startsWith(asActor)) return `${erasedName} (id ${id}) ${content.slice(asActor.length)}`
    const asInvitee = ` inviting ${name}`
    if (content.endsWith(asInvitee)) return `${content.slice(0, -asInvitee.length)} inviting ${erasedName}`
  }
  return content
}

/** Returns the members that explain a charge, without texts of the caller or an upstream. */
export function impersonalOther(other: string): string {
  const parsed = logOther.safeParse(jsonOf(other))
  if (!parsed.success) return ''
  const { error, admin_info, ...facts } = parsed.data
  return JSON.stringify({
    ...facts,
    ...(error && { error: { code: error.code, status: error.status, reason: error.reason } }),
    ...(admin_info && { admin_info: { use_channel: admin_info.use_channel, attempts: [] } }),
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
