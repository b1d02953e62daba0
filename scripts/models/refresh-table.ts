import type { ListPrice, ModelRow, ModelTable } from '../../packages/api/src/models/model-table.ts'
import type { ModelFigures } from './price-file.ts'

export interface Refreshed {
  readonly table: ModelTable
  /** Changes, a line for each model. */
  readonly changes: readonly string[]
}

/**
 * The table with the figures of a file for the models that it names. What the file does not say stands; models that the
 * table does not know are left out: their abilities have to be entered by hand.
 */
export function refreshTable(
  table: ModelTable,
  figures: ReadonlyMap<string, ModelFigures>,
  date: string,
): Refreshed {
  const changes: string[] = []
  const models = table.models.flatMap((row) => {
    const rows = new Map<string, ModelRow>()
    for (const name of row.names) {
      const next = withFigures(row, figures.get(name))
      if (textOf(next) !== textOf(row)) changes.push(`${name}: ${textOf(row)} → ${textOf(next)}`)
      const alike = rows.get(textOf(next))
      rows.set(textOf(next), { ...next, names: [...(alike?.names ?? []), name] })
    }
    return [...rows.values()]
  })
  return { table: { ...table, date, models }, changes }
}

function withFigures(row: ModelRow, figures: ModelFigures | undefined): ModelRow {
  if (figures === undefined) return row
  const price: ListPrice | undefined = figures.price && { ...row.price, ...figures.price }
  return { ...row, ...figures, ...(price !== undefined && { price }) }
}

/** Writes what models of one row have in common and a file can change. */
function textOf({ context, maxOutput, price }: ModelRow): string {
  return JSON.stringify({ context, maxOutput, price })
}

/** The table as its file holds it: a line for each row. */
export function formatTable({ date, sources, surcharges, releases, models }: ModelTable): string {
  const head = JSON.stringify({ date, sources }, null, 2).slice(0, -2)
  const lists = Object.entries(surcharges).map(([name, rows]) => `    "${name}": [\n${lines(rows, 6)}\n    ]`)
  return `${head},\n  "surcharges": {\n${lists.join(',\n')}\n  },\n  "releases": [\n${lines(releases, 4)}\n  ],\n  "models": [\n${lines(models, 4)}\n  ]\n}\n`
}

function lines(rows: readonly object[], indent: number): string {
  return rows.map((row) => `${' '.repeat(indent)}${JSON.stringify(row)}`).join(',\n')
}
