import { tokenNameMaxLength, tokenResource } from '@tollgate/api'
import { storedHash } from '../../../accounts/tokens/hashed-key.ts'
import { keyEndsOf } from '../../../accounts/tokens/key-ends.ts'
import type { NewToken } from '../../../store/accounts/tokens.ts'
import { sealContexts } from '../../../store/installation/sealed-places.ts'
import type { Store } from '../../../store/store.ts'
import { type ImportContext, unitOf } from '../import-context.ts'
import type { Note, SourceKey, SourceToken } from '../import-source.ts'
import { beyondBalances, TableReport } from '../report.ts'
import { refuseOtherDatabase, type Taken, takeTable } from '../take-table.ts'

const markOf = (context: ImportContext) => (token: SourceToken) =>
  context.vault.hash('text' in token.key ? token.key.text : token.key.digest)

/** Before anything is taken: whether the keys that were taken before are those of this source. */
export async function refuseOtherKeys(context: ImportContext): Promise<void> {
  if (context.source.hasGlobalIds) return
  for await (const rows of context.source.tokens(unitOf(context))) {
    const ids = rows.map(({ id }) => id)
    const known = await context.store.imports.known(context.name, 'token', ids)
    refuseOtherDatabase(context.name, rows, known, markOf(context))
    // Some at the start are enough.
    if (known.size > 0) return
  }
}

/** Takes the keys as they are in the clients' hands, with their budgets. */
export async function takeTokens(context: ImportContext): Promise<TableReport> {
  const report = new TableReport('keys')
  const there = { balance: 0, used: 0 }
  await takeTable(context, report, {
    kind: 'token',
    rows: context.source.tokens(unitOf(context)),
    markOf: markOf(context),
    take: (tx, token) => takeToken(context, tx, token),
    taken({ remainQuota, usedQuota }) {
      there.balance += remainQuota
      there.used += usedQuota
    },
  })
  if (report.taken === 0) return report
  const here = await context.store.imports.amountsOf(context.name, 'token', context.now)
  report.reconcile('budget left', there.balance, here.balance)
  report.reconcile('spent', there.used, here.used)
  return report
}

async function takeToken(context: ImportContext, tx: Store, token: SourceToken): Promise<Taken> {
  const { name, now, ids } = context
  const userId = await ids.of(tx, 'user', token.owner)
  if (userId === undefined) return { leftOut: { reason: 'its owner is left out', example: token.name } }
  const key = storedKey(context, token.key)
  if (await tx.tokens.hasKeyHash(key.keyHash))
    return { leftOut: { reason: 'the same key is here already', example: token.name } }
  const amount = token.remainQuota + token.usedQuota
  if (!Number.isSafeInteger(amount)) return { leftOut: beyondBalances(token.name, amount) }
  const changes: Note[] = []
  const { id } = await tx.tokens.create({ ...fieldsOf(token, changes), ...key, userId })
  const entry = { accountKind: 'token', accountId: id, cause: 'import', actorId: 0, note: name } as const
  if (amount !== 0) await tx.ledger.credit({ ...entry, amount, createdAt: now })
  const at = token.accessedAt || token.createdAt
  if (token.usedQuota !== 0 || at > token.createdAt)
    await tx.imports.addUsage({
      calls: [],
      charges: [{ kind: 'token', id, quota: token.usedQuota, calls: 0, at }],
    })
  return { targetId: id, changes }
}

function storedKey(
  { vault }: ImportContext,
  key: SourceKey,
): Pick<NewToken, 'keyHash' | 'keySealed' | 'keyHead' | 'keyTail'> {
  if ('digest' in key)
    return { keyHash: storedHash(key.digest), keySealed: '', keyHead: '', keyTail: key.tail }
  const keyHash = vault.hash(key.text)
  return {
    keyHash,
    keySealed: vault.seal(key.text, sealContexts.tokenKey(keyHash)),
    ...keyEndsOf(key.text),
  }
}

type TokenFields = Omit<NewToken, 'keyHash' | 'keySealed' | 'keyHead' | 'keyTail' | 'userId'>

const { remainQuota: _money, ...blankToken } = tokenResource.defaults

function fieldsOf(token: SourceToken, changes: Note[]): TokenFields {
  const name = token.name.trim().slice(0, tokenNameMaxLength) || 'imported'
  if (name !== token.name) changes.push({ reason: 'the name is too long, or empty', example: name })
  return {
    ...blankToken,
    ...token.fields,
    name,
    status: token.status,
    group: token.group,
    createdAt: token.createdAt,
    expiresAt: token.expiresAt,
    unlimitedQuota: token.isUnlimited,
    modelLimitsEnabled: token.models !== null,
    modelLimits: [...(token.models ?? token.unusedModels ?? [])],
    allowIps: token.allowIps,
  }
}
