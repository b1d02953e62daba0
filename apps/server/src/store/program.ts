/** Values of SQL parameters and results. */
export type Value = number | string | Uint8Array | null

/** One statement in SQL that both databases understand; `?` is a parameter. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly Value[]
}

export interface BatchStatement extends Statement {
  /** The batch is undone when another number of rows changed. */
  readonly expectedChanges?: number
  /** Runs once for each of them, with its items as parameters. */
  readonly rows?: readonly (readonly Value[])[]
  /** The same statement for this many rows at once, with the items of all of them as parameters. */
  readonly forMany?: { readonly sql: string; readonly rows: number }
}

export type Row = Readonly<Record<string, Value>>

/**
 * Work over a database as plain logic: it yields statements and is resumed with their rows. Written once, it runs
 * without a pause beside SQLite's connection in a worker, and with awaits over a PostgreSQL connection.
 */
export type Program<Result> = Generator<Statement, Result, readonly Row[]>

/** One step of a program: `const rows = yield* query<…>('select …', [...])`. */
export function* query<Shape extends object = Row>(
  sql: string,
  parameters: readonly Value[] = [],
): Program<readonly Shape[]> {
  // The caller knows the shape of its own SQL's rows; it cannot be checked at run time.
  return (yield { sql, parameters }) as readonly Shape[]
}

export function runProgram<Result>(
  program: Program<Result>,
  execute: (statement: Statement) => readonly Row[],
): Result {
  let step = program.next()
  while (!step.done) step = program.next(execute(step.value))
  return step.value
}

export async function runProgramAsync<Result>(
  program: Program<Result>,
  execute: (statement: Statement) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = program.next()
  while (!step.done) step = program.next(await execute(step.value))
  return step.value
}
