import type { Connection } from '../../database.ts'
import type { SavedSpan } from './saved-sums.ts'
import type { SpendTimes } from './spend-rows.ts'

/** Saves sums of what users spent, as they are now, for nodes that start. @param columns see `SpendQuery` */
export async function saveSums(
  connection: Pick<Connection, 'read' | 'batch'>,
  span: SavedSpan,
  times: SpendTimes,
  columns: number,
): Promise<void> {
  const packed = await connection.read('readSumsToSave', times, columns)
  if (packed === undefined) return
  const { from, end } = packed.times
  const columnsOfRow = ['span', 'from_at', 'end_at', 'models', 'corrections', 'figures']
  const others = columnsOfRow.slice(1).map((name) => `${name} = excluded.${name}`)
  await connection.batch([
    {
      sql: `insert into spend_sums (${columnsOfRow.join(', ')}) values (?, ?, ?, ?, ?, ?)
        on conflict (span) do update set ${others.join(', ')}`,
      parameters: [span, from, end, JSON.stringify(packed.models), packed.corrections, packed.figures],
    },
  ])
}
