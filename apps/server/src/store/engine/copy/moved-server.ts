import { type Program, query } from '../../program.ts'
import type { Seconds } from '../../units.ts'
import type { ServerTransaction } from '../open/server-connection.ts'

/** Nodes, other than one, that did not end in good order: those that did are not in the list. */
export function* listOtherNodes(node: string): Program<readonly string[]> {
  const rows = yield* query<{ id: string }>('select id from nodes where id <> ? order by id', [node])
  return rows.map(({ id }) => id)
}

/** Says in a database where its installation lives now, and ends the transaction that had the database for itself. */
export async function markMoved(
  { run, commit }: ServerTransaction,
  destination: string,
  now: Date,
): Promise<void> {
  await run(insertMove(destination, Math.floor(now.getTime() / 1000)))
  await commit()
}

function* insertMove(destination: string, movedAt: Seconds): Program<void> {
  yield* query('insert into moves (place, moved_at) values (?, ?)', [destination, movedAt])
}
