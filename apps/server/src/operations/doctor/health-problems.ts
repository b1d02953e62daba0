import type { Ledger } from '../../billing/ledger-types.ts'
import type { Store } from '../../store/store.ts'

/** Something that an operator has to see to while the gateway serves. */
export interface HealthProblem {
  /**
   * `database-damaged`: the database answered with damage · `journal-waits`: the database does not take settled calls ·
   * `journal-grows`: it takes them more slowly than they come.
   */
  readonly code: 'database-damaged' | 'journal-waits' | 'journal-grows'
  readonly database: Store['kind']
  /** Settled calls that the database lacks. */
  readonly waiting: number
}

/** A busy gateway writes 20,000 calls at once, several times over before this. */
const growsFrom = 100_000

/** Returns the problems of the database and of the journal in front of it, the worst first. */
export function healthProblems(
  store: Pick<Store, 'kind' | 'damage'>,
  { figures }: Pick<Ledger, 'figures'>,
): readonly HealthProblem[] {
  const common = { database: store.kind, waiting: figures.journalLag }
  const codes: HealthProblem['code'][] = []
  if (store.damage() !== undefined) codes.push('database-damaged')
  if (!figures.isFlushing && figures.journalLag > 0) codes.push('journal-waits')
  else if (figures.journalLag >= growsFrom) codes.push('journal-grows')
  return codes.map((code) => ({ code, ...common }))
}

const repairs: Readonly<Record<Store['kind'], string>> = {
  sqlite: 'stop the gateway and run tollgate repair',
  postgres: 'restore it from a backup, promote a standby, or rebuild what its log names',
}

/** One sentence: what was found, and the one step to take. */
export function describeProblem({ code, database, waiting }: HealthProblem): string {
  switch (code) {
    case 'database-damaged':
      return `The database answers with damage. Calls go on into the journal, which holds them: ${repairs[database]}.`
    case 'journal-waits':
      return `${waiting} settled calls wait in the journal, because the database does not take them: run tollgate doctor, which says why.`
    case 'journal-grows':
      return `${waiting} settled calls wait in the journal: the database takes them more slowly than they come, give it a faster disk.`
  }
}
