import { Database } from 'bun:sqlite'
import type { JournalSpan } from '../../settlement.ts'
import type { Seconds } from '../../units.ts'

/** The request ids of the log from a time on. */
export function requestIdsSince(file: string, since: Seconds): ReadonlySet<string> {
  using database = new Database(file, { readonly: true })
  const rows = database
    .query<{ request_id: string }, [number]>('select request_id from logs where created_at >= ?')
    .all(since)
  return new Set(rows.map((row) => row.request_id))
}

/** Writes down what a database has of a journal, where it has lost that itself. */
export function markSettled(
  file: string,
  node: string,
  position: number,
  spans: readonly JournalSpan[],
): void {
  using database = new Database(file, { readwrite: true })
  database.run('begin')
  database.run(
    `insert into journal_positions (node, seq) values (?1, ?2)
      on conflict (node) do update set seq = max(seq, excluded.seq)`,
    [node, position],
  )
  for (const { run, first, last } of spans) {
    database.run('delete from journal_spans where run = ? and first_seq >= ? and last_seq <= ?', [
      run,
      first,
      last,
    ])
    database.run('insert or ignore into journal_spans (run, first_seq, last_seq, node) values (?, ?, ?, ?)', [
      run,
      first,
      last,
      node,
    ])
  }
  database.run('commit')
}

/** Gives a database its identity back, which its journal has, too. */
export function identify(file: string, id: string): void {
  using database = new Database(file, { readwrite: true })
  database.run('update database_identity set id = ?', [id])
}
