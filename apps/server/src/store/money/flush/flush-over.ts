import { setImmediate as turn } from 'node:timers/promises'
import type { Connection } from '../../database.ts'
import type { BatchStatement } from '../../program.ts'
import type { FlushRequest } from '../../settlement.ts'
import { decodeBatches } from '../../settlement.ts'
import { FlushStatements } from './flush-statements.ts'

/** A flush over a connection of the event loop's own. Returns how many log rows it added. */
export async function flushInProcess(connection: Connection, request: FlushRequest): Promise<number> {
  const groups = await madeInTurns(decodeBatches(request.batches))
  const flushed = new FlushStatements(request, groups, connection.dialect)
  const statements: BatchStatement[] = await madeInTurns(flushed)
  await connection.batch(statements)
  return flushed.logRows
}

/** Yields to the event loop between two pieces: calls should not wait for the flush of a large batch. */
async function madeInTurns<Piece>(pieces: Iterable<Piece>): Promise<Piece[]> {
  const made: Piece[] = []
  for (const piece of pieces) {
    made.push(piece)
    await turn()
  }
  return made
}
