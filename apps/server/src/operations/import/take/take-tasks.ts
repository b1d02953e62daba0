import type { Store } from '../../../store/store.ts'
import type { ImportContext } from '../import-context.ts'
import type { Note, SourceTask } from '../import-source.ts'
import { TableReport } from '../report.ts'
import { type Taken, takeTable } from '../take-table.ts'

/**
 * Takes the work that upstreams do or have done. What is taken in advance for work under way is taken again, from balances that came
 * as if it were free.
 */
export async function takeTasks(context: ImportContext): Promise<readonly TableReport[]> {
  const rows = context.source.tasks?.()
  if (rows === undefined) return []
  const report = new TableReport('tasks')
  let held = 0
  await takeTable(context, report, {
    kind: 'task',
    rows,
    markOf: () => '',
    take: (tx, task, id) => takeTask(context, tx, task, id),
    taken({ hold }) {
      held += hold?.amount ?? 0
    },
  })
  if (held > 0) report.say(`taken in advance for work under way: ${held.toLocaleString('en')}`)
  return [report]
}

async function takeTask(context: ImportContext, tx: Store, task: SourceTask, id: string): Promise<Taken> {
  const { ids, vault, name } = context
  const { owner, token, channel, key, hold, ...fields } = task
  const example = `${id} ${task.model || task.action}`
  const userId = await ids.of(tx, 'user', owner)
  if (userId === undefined) return { leftOut: { reason: 'its user is left out', example } }
  const channelId = await ids.of(tx, 'channel', channel)
  const isOpen = task.finishedMs === 0
  if (channelId === undefined && isOpen)
    return { leftOut: { reason: 'its channel is left out: what was taken in advance is free', example } }
  const tokenId = (await ids.of(tx, 'token', token)) ?? 0
  const changes: Note[] = []
  if (isOpen && key === '')
    changes.push({ reason: 'the key that submitted it is not known any more', example })
  const holdId = hold === undefined ? '' : `${name} ${id}`
  const { id: targetId } = await tx.tasks.create({
    ...fields,
    userId,
    tokenId,
    channelId: channelId ?? 0,
    holdId,
    keyHash: key === '' ? '' : vault.hash(key),
  })
  if (hold !== undefined) {
    const accounts = [
      { kind: 'user', id: userId } as const,
      ...(hold.isOfToken && tokenId !== 0 ? [{ kind: 'token', id: tokenId } as const] : []),
    ]
    await tx.ledger.hold({ id: holdId, accounts, amount: hold.amount, createdAt: hold.createdAt })
  }
  return { targetId, changes }
}
