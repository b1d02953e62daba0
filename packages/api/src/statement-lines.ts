/** Lines of a statement beside charges, and the causes of the ledger that each sums up. */
export const statementCauses = {
  top_ups: ['top-up'],
  codes: ['redemption'],
  gifts: ['initial', 'invitation', 'transfer'],
  goodwill: ['goodwill'],
  refunds: ['refund'],
  disputes: ['dispute'],
  corrections: ['correction'],
  adjustments: ['admin-change', 'owner-change'],
  moved: ['merge', 'import'],
  /** Held for work that has not ended: its charge comes with its end. */
  held: ['hold', 'hold-release'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type StatementLineName = keyof typeof statementCauses
export const statementLineNames = Object.keys(statementCauses) as [StatementLineName, ...StatementLineName[]]

/** The line of a cause; one that only a newer program knows is an adjustment. */
export function statementLineOf(cause: string): StatementLineName {
  return (
    statementLineNames.find((name) => (statementCauses[name] as readonly string[]).includes(cause)) ??
    'adjustments'
  )
}
