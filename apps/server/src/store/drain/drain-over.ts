import { setImmediate as turn } from 'node:timers/promises'
import type { Session } from '../database.ts'
import type { BatchStatement } from '../program.ts'
import { settlementsByPack } from '../settlement-pack.ts'
import type { DrainBatch } from '../store.ts'
import { DrainStatements } from './drain-statements.ts'

/** A drain over a connection of the event loop's own. Returns how many log rows it added. */
export async function drainOver(session: Session, batch: DrainBatch): Promise<number> {
  const groups = await madeInTurns(settlementsByPack(batch.packs))
  await session.beforeLogRows(groups.flat())
  const drained = new DrainStatements(batch, groups, session.words)
  const statements: BatchStatement[] = await madeInTurns(drained)
  await session.batch(statements)
  return drained.logRows
}

/** Lets the event loop turn between two pieces: calls should not wait for a large batch to be written down. */
async function madeInTurns<Piece>(pieces: Iterable<Piece>): Promise<Piece[]> {
  const made: Piece[] = []
  for (const piece of pieces) {
    made.push(piece)
    await turn()
  }
  return made
}
